/** Message keys with dots can't be reached as properties of `m`. */
export {
  "error.not_found.title" as notFoundTitle,
  "error.not_found.buttonText" as notFoundButton,
} from "../../messages/messages.js";
