/** Rounds a number to a count of decimals, half up; by its digits, so that 1.005 becomes 1.01. */
export function roundTo(value: number, decimals: number): number {
  return shift(Math.round(shift(value, decimals)), -decimals);
}

/** Moves the decimal point, without the error that a multiplication has. */
function shift(value: number, places: number): number {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}
