import { createFileRoute } from "@tanstack/react-router";
import { SimpleFormDemo } from "../../../features/demo/simple-form-demo.tsx";

export const Route = createFileRoute("/demo/form/simple")({ component: SimpleFormDemo });
