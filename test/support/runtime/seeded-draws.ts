import * as fc from "fast-check";
import { RUN_SEED } from "../run-seed.ts";

fc.configureGlobal({ seed: RUN_SEED });
