/* Text of a device, line by line. */
#ifndef DEJANK_DEVICE_LINES_H
#define DEJANK_DEVICE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a text, without a NUL at its end. */
struct dj_piece {
    const char *at;
    size_t length;
};

/* Takes the next line off *rest, without its \n or \r\n and the blanks around it. False
 * at the end. */
bool dj_piece_line(struct dj_piece *rest, struct dj_piece *line);

bool dj_piece_is(struct dj_piece piece, const char *word);
bool dj_piece_begins(struct dj_piece piece, const char *word);

/* What follows the first `word` in it, up to its end; false where it is not there. */
bool dj_piece_after(struct dj_piece piece, const char *word, struct dj_piece *rest);

/* What stands before the first of `stops`, or all of it. */
struct dj_piece dj_piece_until(struct dj_piece piece, const char *stops);

/* Number at the beginning, after blanks; false where there is none or it overflows. */
bool dj_piece_int(struct dj_piece piece, int64_t *value);
bool dj_piece_double(struct dj_piece piece, double *value);

/* A copy that is safe to print, blanks around it taken off, cut where too long. */
void dj_piece_copy(struct dj_piece piece, char *to, size_t capacity);

#endif
