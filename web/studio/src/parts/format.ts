/* Numbers as the page writes them. */
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const percents = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

export function count(n: number | null | undefined): string {
  return typeof n === "number" && Number.isFinite(n) ? whole.format(n) : "–";
}

export function percent(x: number | null | undefined): string {
  if (typeof x !== "number" || !Number.isFinite(x)) return "–";
  const p = 100 * x;
  if (p > 0 && p < 0.1) return "< 0.1 %";
  if (p < 100 && p > 99.9) return "> 99.9 %";
  return `${percents.format(p)} %`;
}

export function figure(x: number | null | undefined, digits = 3): string {
  if (typeof x !== "number" || !Number.isFinite(x)) return "–";
  return Math.abs(x) >= 1000 ? whole.format(x) : String(Number(x.toFixed(digits)));
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} bytes`;
  const units = ["kB", "MB", "GB"];
  let value = n / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${percents.format(value)} ${units[unit]}`;
}
