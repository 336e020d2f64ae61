// Hands the package to the test.
import * as attnscope from "attnscope";

globalThis.attnscope = attnscope;
