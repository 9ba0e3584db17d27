/**
 * A Worker beside the product, in the same runtime, that calls drivers' objects and D1 for whoever asks it over HTTP. Miniflare's own
 * way to them from Node stops Node until the runtime has answered, which may itself wait for Node.
 */
export default {
  async fetch(request, { DRIVER, DB }) {
    const { statements, name, method, args } = await request.json();
    if (!statements) return Response.json((await DRIVER.getByName(name)[method](...args)) ?? null);
    const prepared = statements.map(({ query, params }) => DB.prepare(query).bind(...params));
    return Response.json(await DB.batch(prepared));
  },
};
