import { expect, it } from "vitest";
import { Connections, type LaneName } from "../../durable/runtime/lane.ts";

/** Works that hang until they are ended, and which of them have begun. */
function hanging(...lanes: LaneName[]) {
  const connections = new Connections();
  const begun: string[] = [];
  const ends = lanes.map(() => Promise.withResolvers<void>());
  const works = lanes.map((lane, index) =>
    connections.run(lane, async () => {
      begun.push(`${lane} ${index}`);
      await ends[index]?.promise;
    }),
  );
  const end = async (index: number) => {
    ends[index]?.resolve();
    await works[index];
  };
  return { connections, begun, ends, works, end };
}

it("lets four accepts run beside a poll, a check-in or a read of the blocks, and no more", () => {
  const { begun } = hanging("accept", "accept", "accept", "accept", "accept", "poll", "checkIn", "blocks");
  expect(begun).toEqual(["accept 0", "accept 1", "accept 2", "accept 3", "poll 5", "checkIn 6"]);
});

it.each<LaneName>(["accept", "checkIn", "blocks", "poll"])(
  "lets a call of lane %s go while a side call hangs",
  (lane) => {
    expect(hanging("rest", "rest", lane).begun).toEqual(["rest 0", `${lane} 2`]);
  },
);

it("starts what most depends on first, and of one lane in the order in which it came", async () => {
  const { begun, end } = hanging("accept", "accept", "accept", "rest", "news", "accept", "accept");
  expect(begun).toEqual(["accept 0", "accept 1", "accept 2", "rest 3"]);
  await end(3);
  expect(begun.at(-1)).toBe("accept 5");
  await end(0);
  expect(begun.at(-1)).toBe("accept 6");
  await end(1);
  expect(begun.at(-1)).toBe("news 4");
});

it("gives a place on when its call fails", async () => {
  const { begun, ends, works } = hanging("blocks", "blocks");
  ends[0]?.reject(new Error("the call failed"));
  await expect(works[0]).rejects.toThrow("the call failed");
  expect(begun).toEqual(["blocks 0", "blocks 1"]);
});

it("starts a call that goes first before the others of its lane that wait", async () => {
  const { connections, begun, end } = hanging("news", "news", "accept");
  const text = connections.run("news", async () => void begun.push("a text"), { goesFirst: true });
  expect(begun).toEqual(["news 0", "accept 2"]);
  await end(0);
  await text;
  expect(begun.slice(2)).toEqual(["a text", "news 1"]);
});
