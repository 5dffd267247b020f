/* One input of `dejank parse`: a file or a stream. The caller feeds the bytes of the
 * input in pieces. Each dump in these bytes is passed to a callback, together with the
 * facts computed from the dump. */
#ifndef DEJANK_IMPORT_DUMP_INPUT_H
#define DEJANK_IMPORT_DUMP_INPUT_H

#include "base/messages.h"
#include "import/parsed_dump.h"

/* Receives a dump. After the call, the dump is finished, unless the callback has copied
 * and zeroed it. A result other than 0 ends the reading with that code. */
typedef int dj_dump_input_receiver(void *data, struct dj_parsed *parsed);

struct dj_dump_input {
    const char *source; /* The name that the user gave. Owned by the caller. */
    struct dj_parse_report report;
    enum dj_dump_outcome outcome; /* The best outcome of the dumps so far. */
    /* The reason if the outcome is not DJ_OUTCOME_OK. Otherwise the message is empty. */
    struct dj_error error;
    /* Line and byte of the error, or 1 and 0 if the error concerns the whole text. */
    size_t error_line, error_byte;
    /* The release of the first dump that shows its release, or NULL. */
    const struct dj_dialect *dialect;
    bool dialect_inferred;
    struct dj_release_evidence evidence;

    /* The reason if reading ended early, or code 0 if the whole input was read. */
    struct dj_error broken;

    size_t file_bytes; /* Size of the source, or 0 if unknown. The caller may set it. */

    /* The following fields are internal state. */
    struct dj_text head; /* The first bytes of the input. */
    /* The release that the caller has set, or NULL if the release is inferred from the
     * dump. */
    const struct dj_dialect *release;
    dj_dump_input_receiver *receive;
    void *receive_data;
    struct dj_parser *parser;
    size_t dumps; /* Number of dumps that were passed to the callback. */
    /* Line and byte of the last error message of the device that was assigned to a
     * dump. */
    size_t refusal_line, refusal_byte;
};

/* Starts an input. `release` is the release of all dumps, or NULL if the release is
 * inferred from each dump. */
void dj_import_input_init(struct dj_dump_input *input, const char *source,
                          const struct dj_dialect *release,
                          dj_dump_input_receiver *receive, void *data);

/* Feed and end one text: an entry of an archive, or the file itself. Another text may
 * follow. Both functions return 0 or the code of the callback. */
int dj_import_input_feed(struct dj_dump_input *input, const char *bytes, size_t length);
int dj_import_input_end_text(struct dj_dump_input *input);

/* Adds a dump that was not read from text, and finishes it. Returns 0 or the code of the
 * callback. */
int dj_import_input_add(struct dj_dump_input *input, struct dj_dump *dump);

/* Returns whether the device reported an error after the last error that was assigned to
 * a dump. */
bool dj_import_input_was_refused(const struct dj_dump_input *input);

/* Records the reason why the rest of the input, or all of it, could not be read. Dumps
 * that were read before remain valid. */
void dj_import_input_break(struct dj_dump_input *input, const struct dj_error *err);

/* Ends the input. After this call, the outcome and the error of the input are final. If
 * the input contained no dump, the callback receives an empty dump with this outcome and
 * error, so that no input is ignored silently. */
int dj_import_input_end(struct dj_dump_input *input);

/* Frees the parser of the input. */
void dj_import_input_finish(struct dj_dump_input *input);

/*
 * Reads a file, or standard input for "-", to its end, dump by dump. `release` is NULL if
 * the release is inferred from each dump. An input that cannot be read is no error, but
 * has an outcome that says so. Returns 0, or the code of the callback. The caller
 * finishes *input in every case.
 */
int dj_import_input_read(const char *path, const struct dj_dialect *release,
                         const struct dj_messages *messages,
                         dj_dump_input_receiver *receive, void *data,
                         struct dj_dump_input *input);

/* Sends a message for each line that was skipped, with its place, and for the reason if
 * the outcome is not DJ_OUTCOME_OK. Returns true if the whole input was read and the
 * outcome is DJ_OUTCOME_OK. */
bool dj_import_input_describe(const struct dj_dump_input *input,
                              const struct dj_messages *messages);

#endif
