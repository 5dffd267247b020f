/* One input of `dejank parse`, a file or a stream: fed in pieces, it passes each dump
 * that it contains, with the facts computed from it, to a callback. */
#ifndef DEJANK_IMPORT_DUMP_INPUT_H
#define DEJANK_IMPORT_DUMP_INPUT_H

#include "base/messages.h"
#include "import/parsed_dump.h"

/* Receives a dump. The dump is finished after the call unless the callback has moved it
 * out and zeroed it. A result other than 0 ends reading with that code. */
typedef int dj_dump_input_receiver(void *data, struct dj_parsed *parsed);

struct dj_dump_input {
    const char *source; /* The name the user gave; the caller's. */
    struct dj_parse_report report;
    enum dj_dump_outcome outcome; /* The best outcome of its dumps. */
    struct dj_error error;        /* Why the outcome is not DJ_OUTCOME_OK; else "". */
    /* Place of the error in the text; 1 and 0: the whole text. */
    size_t error_line, error_byte;
    /* Of the first dump that identifies a release; NULL: none did. */
    const struct dj_dialect *dialect;
    bool dialect_inferred;
    struct dj_release_evidence evidence;

    struct dj_error broken; /* Why reading stopped early; code 0: it did not. */

    size_t file_bytes; /* Size of the source; the caller may set it; 0: unknown. */

    /* Internal state. */
    struct dj_text head; /* The first bytes that were fed. */
    /* Set if the caller knows the release; NULL: it is inferred. */
    const struct dj_dialect *release;
    dj_dump_input_receiver *take;
    void *take_data;
    struct dj_parser *parser;
    size_t dumps; /* Number of dumps passed to the callback so far. */
    /* Place of the last refusal that was assigned to a dump. */
    size_t refusal_line, refusal_byte;
};

/* Starts an input. `release` may be NULL. */
void dj_dump_input_init(struct dj_dump_input *input, const char *source,
                        const struct dj_dialect *release, dj_dump_input_receiver *take,
                        void *data);

/* dj_dump_input_feed() parses more of the current text. dj_dump_input_end_text() ends
 * it (an entry of an archive, or the file itself); another text may follow. Both return 0
 * or the code of the callback. */
int dj_dump_input_feed(struct dj_dump_input *input, const char *bytes, size_t length);
int dj_dump_input_end_text(struct dj_dump_input *input);

/* Adds a dump that did not come as text, and finishes it. Returns 0 or the code of the
 * callback. */
int dj_dump_input_add(struct dj_dump_input *input, struct dj_dump *dump);

/* Whether the device refused something after the last refusal that was assigned to a
 * dump. */
bool dj_import_input_was_refused(const struct dj_dump_input *input);

/* Records that the input could not be read any further, or at all. What was read stays.
 */
void dj_dump_input_break(struct dj_dump_input *input, const struct dj_error *err);

/* Ends the input; its outcome and error are final. If it contained no dump, an empty dump
 * with that outcome and error goes to the callback, so no input is ignored silently. */
int dj_dump_input_end(struct dj_dump_input *input);

/* Frees the parser. `source` stays the caller's. */
void dj_import_input_finish(struct dj_dump_input *input);

/*
 * Reads a file, or "-" for the standard input, to its end, dump by dump. `release` NULL:
 * it is inferred. An input that cannot be read is no error: its outcome says so. Returns
 * 0, or what the taker returned. The caller finishes *input in every case.
 */
int dj_import_input_read(const char *path, const struct dj_dialect *release,
                         const struct dj_messages *messages, dj_dump_input_receiver *take,
                         void *data, struct dj_dump_input *input);

/* Sends a message for each line that was skipped, with its place, and for the reason if
 * the outcome is not DJ_OUTCOME_OK. Returns true if the whole input was read and the
 * outcome is DJ_OUTCOME_OK. */
bool dj_import_input_describe(const struct dj_dump_input *input,
                              const struct dj_messages *messages);

#endif
