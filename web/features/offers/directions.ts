/** The way to a warehouse, in whatever maps the device opens the address with. */
export function directionsUrl({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const query = new URLSearchParams({ api: "1", destination: `${latitude},${longitude}` });
  return `https://www.google.com/maps/dir/?${query.toString()}`;
}
