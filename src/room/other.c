/* Does what docs/page.md#two-words says; other.c calls it. */
const char *s = "/* docs/none.md";
