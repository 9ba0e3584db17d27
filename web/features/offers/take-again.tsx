import { useMutation } from "@tanstack/react-query";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { takeBlockAgain } from "../../api/queries/blocks.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { errorMessage } from "../language/error-messages.ts";

/** Lets the driver change their mind about a block that they gave back. */
export function TakeAgain({ reasons, now }: { reasons: readonly Reason[]; now: EpochMs }) {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: takeBlockAgain });
  const givenBack = reasons.find((reason) => reason.code === "given_back");
  // A block that has started is not offered again.
  if (!givenBack || givenBack.offer.startsAt <= now) return null;
  const { blockId } = givenBack.offer;
  if (isSuccess) return <output>{m.offer_take_again_done()}</output>;
  return (
    <>
      <Button disabled={isPending} onClick={() => mutate(blockId)}>
        {m.offer_take_again()}
      </Button>
      {error && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {errorMessage(error)}
        </p>
      )}
    </>
  );
}
