/** Their keys are the spec's own, with dots in them. */
export {
  "error.not_found.title" as notFoundTitle,
  "error.not_found.buttonText" as notFoundButton,
} from "../../messages/messages.js";
