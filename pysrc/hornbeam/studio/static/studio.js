// What the pages do beyond htmx: marks what a literal speaks of. Everything else works without scripts.
"use strict";
