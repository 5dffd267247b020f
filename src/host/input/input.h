/* input reads files of any kind as bytes: plain and UTF-16 text, gzip, zstd and xz, zip
 * archives (bug reports) and tar archives, nested in any order. It does not interpret the
 * bytes (gfxinfo does). The content shows the kind, never the file's name.
 *
 * Everything is streamed, also from a pipe. An input holds 256 KiB per layer, and what
 * the decoders need (gzip and zip 32 KiB; zstd at most 128 MiB, xz at most 256 MiB: files
 * that need more are refused), for any size of file. More than DJ_INPUT_LAYERS layers
 * are refused. One thread at a time. */
#ifndef DEJANK_INPUT_INPUT_H
#define DEJANK_INPUT_INPUT_H

#include <stddef.h>

#include "base/error.h"

enum { DJ_INPUT_LAYERS = 8 };

enum dj_input_part_kind {
    DJ_PART_NONE,               /* there is no further part */
    DJ_PART_TEXT,               /* anything else; UTF-16 is converted to UTF-8 */
    DJ_PART_GRAPHICSSTATS_DUMP, /* output of `dumpsys graphicsstats --proto` */
    DJ_PART_GRAPHICSSTATS_FILE, /* a file of /data/system/graphicsstats */
    DJ_PART_BINARY              /* an entry of an archive that is no text; see
                                 * dj_input_include_binary() */
};

/* A part of an input. A plain or compressed file is one part, each entry of a zip or tar
 * archive another. */
struct dj_input_part {
    enum dj_input_part_kind kind;
    const char *name; /* of the entry, as in the archive: escape it before printing.
                       * "outer.zip/inner.txt" in nested archives; NULL: the file itself.
                       * Valid until the next part */
};

struct dj_input_reader;

/* Opens a file ("-": standard input) without reading from it. DJ_E_IO with the system's
 * reason. */
int dj_input_open(struct dj_input_reader **reader, const char *path,
                  struct dj_error *err);

/* Opens a descriptor, which the caller still owns. The name is copied and appears in
 * messages. Reading begins at the descriptor's current position. */
struct dj_input_reader *dj_input_open_fd(int fd, const char *name);

/* From the next part on, entries of archives that are no text are parts as well. By
 * default they are skipped. */
void dj_input_include_binary(struct dj_input_reader *reader);

/* From the next part on, repairs damaged texts (input/repair.h): colour codes, CR as the
 * only line end, escaped or lost line ends. */
void dj_input_repair_text(struct dj_input_reader *reader);

/* Returns the input's name in messages: its path, or "standard input". */
const char *dj_input_get_name(const struct dj_input_reader *reader);

/* Opens the next part and skips the rest of the previous one. There is always a first
 * part (an empty file is an empty text), except in archives without text. kind is
 * DJ_PART_NONE at the end. An error loses one part: the next call continues after it if
 * possible, otherwise ends. The message names file and entry. Its offset is in the bytes
 * around the damage: in the file if there is only one layer. DJ_E_UNSUPPORTED names the
 * command that unpacks such data. */
int dj_input_next(struct dj_input_reader *reader, struct dj_input_part *part,
                  struct dj_error *err);

/* Returns the part's next bytes, at most 256 KiB; *length is 0 at its end. They are valid
 * until the next call. An error comes after all bytes that were decoded before the
 * damage, and ends the part. */
int dj_input_read(struct dj_input_reader *reader, const char **bytes, size_t *length,
                  struct dj_error *err);

void dj_input_close(struct dj_input_reader *reader); /* NULL is allowed */

#endif
