import { createFileRoute } from "@tanstack/react-router";
import { StoreDemo } from "../../features/demo/store-demo.tsx";

export const Route = createFileRoute("/demo/store")({ component: StoreDemo });
