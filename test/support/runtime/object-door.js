/**
 * A Worker beside the product, in the same runtime, that calls drivers' objects for whoever asks it over HTTP. Miniflare's own way to
 * an object from Node stops Node until the runtime has answered, for each of its steps.
 */
export default {
  async fetch(request, { DRIVER }) {
    const { name, method, args } = await request.json();
    return Response.json((await DRIVER.getByName(name)[method](...args)) ?? null);
  },
};
