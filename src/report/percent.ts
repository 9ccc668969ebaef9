/** A share as every output shows it. Rounded down: only what is complete is 100 %. */
export function percent(ratio: number): string {
  return `${Math.floor(ratio * 1000 + 1e-9) / 10} %`;
}
