const EARTH_METERS = 6_371_008.8;

type Point = { latitude: number; longitude: number };

/** Metres along the great circle between two points given in degrees (haversine). */
export function distanceBetween(one: Point, other: Point): number {
  const rise = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const run = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const chord = rise + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * run;
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
