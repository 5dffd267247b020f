/* One input of `dejank parse`, a file or a stream, as the dumps that follow each other in
 * it: fed in pieces, it hands out each with what was computed of it. */
#ifndef DEJANK_IMPORT_DUMP_INPUT_H
#define DEJANK_IMPORT_DUMP_INPUT_H

#include "base/messages.h"
#include "import/parsed_dump.h"

/* Takes a dump, which is finished after the call unless the taker has moved it out and
 * zeroed it. Not 0: reading ends with that code. */
typedef int dj_input_taker(void *data, struct dj_parsed *parsed);

struct dj_input {
    const char *source; /* as it was named; the caller's */
    struct dj_parse_report report;
    enum dj_outcome outcome;       /* the best of its dumps */
    struct dj_error error;         /* why it is not DJ_OUTCOME_OK; "" */
    size_t error_line, error_byte; /* where the text says so; 1 and 0: the whole of it */
    const struct dj_dialect
        *dialect; /* of the first dump that tells one; NULL: none did */
    bool dialect_inferred;
    struct dj_release_evidence evidence;

    struct dj_error broken; /* where reading it stopped early; code 0: nowhere */

    size_t file_bytes; /* of the source; the caller may set it; 0: not known */

    /* The inside. */
    struct dj_text head;              /* the first bytes that were fed */
    const struct dj_dialect *release; /* the caller knows it; NULL: it is inferred */
    dj_input_taker *take;
    void *take_data;
    struct dj_parser *parser;
    size_t dumps;                      /* handed out so far */
    size_t refusal_line, refusal_byte; /* of the last one that a dump was told of */
};

/* Begins an input. `release` may be NULL. */
void dj_input_init(struct dj_input *input, const char *source,
                   const struct dj_dialect *release, dj_input_taker *take, void *data);

/* Reads on in the text; ends a text of it (an entry of an archive, the file itself),
 * after which another may begin. 0, or what the taker returned. */
int dj_input_feed(struct dj_input *input, const char *bytes, size_t length);
int dj_input_end_text(struct dj_input *input);

/* A dump that came in another form than text; it is finished. As above. */
int dj_input_add_dump(struct dj_input *input, struct dj_dump *dump);

/* Whether the device refused something after what the dumps so far were told of. */
bool dj_input_was_refused(const struct dj_input *input);

/* The input could not be read any further, or at all: what was read of it stays. */
void dj_input_break(struct dj_input *input, const struct dj_error *err);

/* Ends the input: outcome and error stand. Where no dump was handed out, an empty one is,
 * which has them too: an input is never passed over in silence. */
int dj_input_end(struct dj_input *input);

void dj_input_finish(struct dj_input *input);

/*
 * Reads a file, or "-" for the standard input, to its end, dump by dump. `release` NULL:
 * it is inferred. An input that cannot be read is no error: its outcome says so. Returns
 * 0, or what the taker returned. The caller finishes *input in every case.
 */
int dj_dump_input_read(const char *path, const struct dj_dialect *release,
                       const struct dj_messages *messages, dj_input_taker *take,
                       void *data, struct dj_input *input);

/* Sends a message for each line that was skipped, with its place, and for the reason if
 * the outcome is not DJ_OUTCOME_OK. Returns true if the whole input was read and the
 * outcome is DJ_OUTCOME_OK. */
bool dj_dump_input_describe(const struct dj_input *input,
                            const struct dj_messages *messages);

#endif
