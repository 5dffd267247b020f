/*
 * input reads files of any kind as bytes: plain text, UTF-16 text, gzip, zstd, xz, zip
 * archives such as bug reports, and tar archives. They may be nested in any order. The
 * content of a file, and not its name, decides how the file is read. Interpreting the
 * bytes is the job of gfxinfo.
 *
 * All files are streamed, so they may be pipes and may have any size. An input needs 256
 * KiB of memory per layer, and the memory of the decoders: 32 KiB for gzip and zip, at
 * most 128 MiB for zstd and at most 256 MiB for xz. Files that need more memory or have
 * more than DJ_INPUT_LAYERS layers are refused. Only one thread at a time may use an
 * input.
 */
#ifndef DEJANK_INPUT_INPUT_H
#define DEJANK_INPUT_INPUT_H

#include <stddef.h>

#include "base/error.h"

enum { DJ_INPUT_LAYERS = 8 };

enum dj_input_part_kind {
    DJ_PART_NONE,               /* The input has no further part. */
    DJ_PART_TEXT,               /* Any other data. UTF-16 is converted to UTF-8. */
    DJ_PART_GRAPHICSSTATS_DUMP, /* Output of `dumpsys graphicsstats --proto`. */
    DJ_PART_GRAPHICSSTATS_FILE, /* A file of /data/system/graphicsstats. */
    /* An archive entry that is no text. Only after dj_input_include_binary(). */
    DJ_PART_BINARY
};

/* A part of an input. A plain or compressed file has one part. Each entry of a zip or tar
 * archive is a part. */
struct dj_input_part {
    enum dj_input_part_kind kind;
    /* Name of the archive entry, such as "outer.zip/inner.txt" in nested archives, or
     * NULL for the file itself. The name comes from the archive, so escape it before
     * printing. Valid until the next part. */
    const char *name;
};

struct dj_input_reader;

/* Opens a file, or standard input for "-". Does not read from it. Returns DJ_E_IO if the
 * file cannot be opened. The message has the reason. */
int dj_input_open(struct dj_input_reader **reader, const char *path,
                  struct dj_error *err);

/* Opens a descriptor at its current position. The caller still owns the descriptor.
 * `name` is copied and appears in messages. */
struct dj_input_reader *dj_input_open_fd(int fd, const char *name);

/* Makes the reader return archive entries that are not text as parts too, starting with
 * the next part. Otherwise, such entries are skipped. */
void dj_input_include_binary(struct dj_input_reader *reader);

/* Repairs damaged texts (input/repair.h) from the next part on: colour codes, CR as the
 * only line end, escaped line ends, and missing line ends. */
void dj_input_repair_text(struct dj_input_reader *reader);

/* Returns the name of the input in messages: its path, or "standard input". */
const char *dj_input_get_name(const struct dj_input_reader *reader);

/*
 * Opens the next part and skips the rest of the current part. part->kind is DJ_PART_NONE
 * at the end. There is at least one part, except in archives without text: an empty file
 * is an empty text.
 *
 * After an error, the part is lost. The next call continues after the lost part if
 * possible, or else returns the end. The message names the file and the entry. The byte
 * offset in the message is an offset in the data that directly contains the damage. For a
 * file with only one layer, this is the file. DJ_E_UNSUPPORTED means that dejank cannot
 * read the format. The message names a command that unpacks the file.
 */
int dj_input_next(struct dj_input_reader *reader, struct dj_input_part *part,
                  struct dj_error *err);

/* Returns the next bytes of the part, at most 256 KiB. *length is 0 at the end of the
 * part. The bytes are valid until the next call. If the data is damaged, all bytes that
 * could be decoded before the damage are returned first. Then the error ends the part. */
int dj_input_read(struct dj_input_reader *reader, const char **bytes, size_t *length,
                  struct dj_error *err);

/* Closes the reader and frees it. NULL is allowed. */
void dj_input_close(struct dj_input_reader *reader);

#endif
