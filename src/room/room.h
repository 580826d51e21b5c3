/* See docs/none.md. */
/* See
 * docs/page.md#three. */
/* gone.c knows. */
