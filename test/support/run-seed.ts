/** Decides what a run draws: `SEED=… npm test` draws the same again. */
export const RUN_SEED = Number(process.env["SEED"]);
