/* Flatbuffers, in which Arrow IPC has its metadata: read with every step checked, and written from
 * front to back. Inside the room. */
#ifndef MGL_IO_IPC_FLATBUFFER_H
#define MGL_IO_IPC_FLATBUFFER_H

#include "base/base.h"

/* ---- Reading: positions are offsets from the first byte; 0 is none -----------------------------
 */

typedef struct mgl_flatbuffer {
    const char *data;
    size_t size;
    bool bad; /* some offset leads outside */
} mgl_flatbuffer;

size_t mgl_fb_root(mgl_flatbuffer *fb);
/* Scalars of a table, or what they are if they are not there. */
int64_t mgl_fb_whole(mgl_flatbuffer *fb, size_t table, unsigned field, unsigned width,
                     int64_t otherwise);
/* Another table, a text, the elements of a vector of so many bytes each. */
size_t mgl_fb_table(mgl_flatbuffer *fb, size_t table, unsigned field);
mgl_span mgl_fb_text(mgl_flatbuffer *fb, size_t table, unsigned field);
size_t mgl_fb_vector(mgl_flatbuffer *fb, size_t table, unsigned field, size_t width, size_t *n);
/* Element of a vector of tables. */
size_t mgl_fb_element(mgl_flatbuffer *fb, size_t elements, size_t i);
/* Of a structure whose place is known to lie inside. */
int64_t mgl_fb_long_at(const mgl_flatbuffer *fb, size_t at);

/* ---- Writing ------------------------------------------------------------------------------------
 */

enum { MGL_FB_FIELDS = 7 };

typedef struct mgl_fb_writer {
    mgl_buffer bytes;
} mgl_fb_writer;

/* Where the fields of a table are, 0: it does not have it. */
typedef struct mgl_fb_slots {
    size_t table, at[MGL_FB_FIELDS];
} mgl_fb_slots;

/* The place of the offset to the root. */
size_t mgl_fb_begin(mgl_fb_writer *out);
/* A table with fields of these widths (0: none), all zero, to which the offset at `field` leads. */
mgl_fb_slots mgl_fb_put_table(mgl_fb_writer *out, size_t field, const unsigned char *widths,
                              unsigned n);
void mgl_fb_set(mgl_fb_writer *out, size_t at, int64_t value, unsigned width);
void mgl_fb_put_text(mgl_fb_writer *out, size_t field, mgl_span text);
/* Room for n elements; returns the place of the first. */
size_t mgl_fb_put_vector(mgl_fb_writer *out, size_t field, size_t n, size_t width, size_t align);

#endif
