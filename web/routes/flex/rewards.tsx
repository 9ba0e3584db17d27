import { createFileRoute } from "@tanstack/react-router";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { RewardsError, RewardsPending } from "../../features/rewards/states.tsx";
import { RewardsScreen } from "../../features/rewards/rewards-screen.tsx";

export const Route = createFileRoute("/flex/rewards")({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(rewardsQuery);
  },
  pendingComponent: RewardsPending,
  errorComponent: RewardsError,
  component: RewardsScreen,
});
