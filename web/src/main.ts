// The page's entry. Read next: elements/as-explorer.ts.

import { register } from "./elements/register.js";
import "./styles/page.css";

register();
