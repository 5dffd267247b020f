/*
 * intake: whatever file people have → bytes: plain or UTF-16 text, gzip, zstd and xz, zip
 * archives (bug reports) and tar archives, in any order inside each other. Not what the
 * bytes mean (gfxinfo). The kind is known from the content, never from a file's name.
 *
 * Everything is streamed, also from a pipe: an intake holds 256 KiB for each layer that
 * it takes off, and what the decoders need (gzip and zip 32 KiB; zstd at most 128 MiB, xz
 * at most 256 MiB: files that ask for more are refused), however long the input or what
 * it unfolds to. Layers deeper than DJ_INTAKE_LAYERS are refused. One thread at a time.
 */
#ifndef DEJANK_INPUT_INPUT_H
#define DEJANK_INPUT_INPUT_H

#include <stddef.h>

#include "base/error.h"

enum { DJ_INTAKE_LAYERS = 8 };

enum dj_part_kind {
    DJ_PART_NONE, /* there is no further part */
    DJ_PART_TEXT, /* anything that is none of the others; UTF-16 comes out as UTF-8 */
    DJ_PART_GRAPHICSSTATS_DUMP, /* bytes of `dumpsys graphicsstats --proto` */
    DJ_PART_GRAPHICSSTATS_FILE, /* bytes of a file below /data/system/graphicsstats */
    DJ_PART_BINARY /* an entry of an archive that is no text: dj_intake_take_binary() */
};

/* What an input consists of: a plain or compressed file is one part, each entry of a zip
 * or tar archive another. */
struct dj_intake_part {
    enum dj_part_kind kind;
    const char *name; /* of the entry, as the archive spells it: escape it before
                         printing. "outer.zip/inner.txt" in nested archives; NULL: the
                         file itself. Valid until the next part */
};

struct dj_intake;

/* Opens a file ("-": the standard input) and reads nothing yet. DJ_E_IO with the system's
 * reason. */
int dj_intake_open(struct dj_intake **intake, const char *path, struct dj_error *err);

/* The same of an open descriptor, which stays the caller's; name is copied, for messages.
 * Reading begins where the descriptor stands. */
struct dj_intake *dj_intake_open_fd(int fd, const char *name);

/* Entries of archives that are no text are parts as well, from the next one on; else they
 * are passed over. */
void dj_intake_take_binary(struct dj_intake *intake);

/* Repairs texts that were damaged on their way, from the next part on (input/repair.h):
 * colour codes, CR as the only line end, line ends that are escaped or lost. */
void dj_intake_repair_text(struct dj_intake *intake);

/* What the input is called in messages: its path, or "standard input". */
const char *dj_intake_name(const struct dj_intake *intake);

/*
 * Goes on to the next part, of which there is always a first (an empty file is an empty
 * text), but for archives without any text; kind is DJ_PART_NONE at the end. What is left
 * of the part before is passed over. An error (the message names file and entry, its
 * offset is in the bytes around the damage: the file's own where only one layer is on it)
 * loses one part: the next call goes on behind it where that is possible, else ends.
 * DJ_E_UNSUPPORTED names the command that unpacks such data.
 */
int dj_intake_next(struct dj_intake *intake, struct dj_intake_part *part,
                   struct dj_error *err);

/* The part's next bytes, as many as are at hand (up to 256 KiB); *length is 0 at its end.
 * They are valid until the next call. An error comes after all bytes that could be
 * decoded before the damage, and ends the part. */
int dj_intake_read(struct dj_intake *intake, const char **bytes, size_t *length,
                   struct dj_error *err);

void dj_intake_close(struct dj_intake *intake); /* NULL is fine */

#endif
