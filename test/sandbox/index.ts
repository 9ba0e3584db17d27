import type { World } from "./world.ts";

export { World } from "./world.ts";

type Env = { WORLD: DurableObjectNamespace<World> };

export default {
  fetch: (request, env) => env.WORLD.get(env.WORLD.idFromName("world")).fetch(request),
} satisfies ExportedHandler<Env>;
