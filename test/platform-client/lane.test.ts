import { expect, it } from "vitest";
import { Lane } from "../../durable/runtime/lane.ts";

it("lets as many works run as it has places, and the others in the order in which they came", async () => {
  const lane = new Lane(2);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, index) =>
    lane.run(async () => {
      begun.push(index);
      await promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error("the call failed"));
  await expect(works[1]).rejects.toThrow("the call failed");
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.resolve();
  ends[2]?.resolve();
  await works[0];
  ends[3]?.resolve();
  await Promise.all([works[0], works[2], works[3]]);
  expect(begun).toEqual([0, 1, 2, 3]);
});
