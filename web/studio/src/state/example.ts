/* A table to try things with: invented persons, always the same. */
const STREETS = ["48", "50", "51", "53", "80", "81"];
const DIAGNOSES: [string, number][] = [
  ["Hypertension", 9], ["Diabetes", 7], ["Asthma", 5], ["Depression", 5], ["Fracture", 4], ["Migraine", 3],
  ["Pneumonia", 3], ["Breast cancer", 2], ["Hepatitis", 1], ["HIV", 1],
];

/* A small generator of numbers, so that the table is the same everywhere. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function exampleTable(rows = 2000): string {
  const next = numbers(7);
  const pick = <V,>(list: V[]): V => list[Math.floor(next() * list.length)];
  const total = DIAGNOSES.reduce((n, [, w]) => n + w, 0);
  const lines = ["patient_id,birth_year,sex,zip,marital_status,diagnosis"];
  for (let i = 0; i < rows; i++) {
    const year = 1940 + Math.floor(65 * (next() + next()) / 2);
    const zip = pick(STREETS) + String(Math.floor(next() * 8) * 125).padStart(3, "0");
    let at = next() * total;
    const diagnosis = DIAGNOSES.find(([, w]) => (at -= w) < 0)?.[0] ?? DIAGNOSES[0][0];
    const status = pick(["single", "married", "married", "married", "divorced", "widowed"]);
    lines.push([`P${100000 + i * 37}`, year, next() < 0.53 ? "female" : "male", zip, status, diagnosis].join(","));
  }
  return lines.join("\n") + "\n";
}
