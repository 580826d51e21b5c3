/* Line icons; decoration only, the words beside them say it. */
const common = { fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round", viewBox: "0 0 24 24", "aria-hidden": true } as const;

export const TableIcon = () => <svg {...common}><path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14" /></svg>;
export const GoodIcon = () => <svg {...common}><circle cx="12" cy="12" r="9" /><path d="m8 12.5 2.8 2.8L16 9.5" /></svg>;
export const BadIcon = () => <svg {...common}><circle cx="12" cy="12" r="9" /><path d="m9 9 6 6m0-6-6 6" /></svg>;
export const WaitIcon = () => <svg {...common}><circle cx="12" cy="12" r="9" /><path d="M12 7v5l3 2" /></svg>;
export const BrandIcon = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" fill="var(--accent)">
    <circle cx="8" cy="8" r="4" /><circle cx="16" cy="8" r="4" opacity=".55" /><circle cx="8" cy="16" r="4" opacity=".55" /><circle cx="16" cy="16" r="4" opacity=".8" />
  </svg>
);
