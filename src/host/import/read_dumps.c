#include <string.h>
#include <sys/stat.h>

#include "gfxinfo/graphicsstats_proto.h"
#include "import/dump_input.h"
#include "input/read.h"
#include "memory/memory.h"

/* Graphicsstats of a real device have less than 1 MiB. */
static const size_t MOST_PROTO_BYTES = (size_t)64 << 20;

/* Reads one text. Returns 0, or the code of the callback. If the text cannot be read to
 * its end, sets *err. */
static int read_text(struct dj_input_reader *reader, struct dj_dump_input *input,
                     struct dj_error *err)
{
    const char *bytes;
    size_t length = 0;
    int result = 0;
    while (result == 0 && dj_input_read(reader, &bytes, &length, err) == 0 &&
           length > 0) {
        result = dj_import_input_feed(input, bytes, length);
    }
    return result == 0 ? dj_import_input_end_text(input) : result;
}

static int add_proto(struct dj_dump_input *input, enum dj_input_part_kind kind,
                     const struct dj_text *bytes, struct dj_error *err)
{
    struct dj_dump dump = {.uptime_ms = -1, .realtime_ms = -1};
    int result = kind == DJ_PART_GRAPHICSSTATS_DUMP
                     ? dj_gfxinfo_parse_graphicsstats_dump(dj_xtext(bytes), bytes->length,
                                                           &dump, &input->report, err)
                     : dj_gfxinfo_parse_graphicsstats_file(dj_xtext(bytes), bytes->length,
                                                           &dump, &input->report, err);
    if (result == 0) {
        return dj_import_input_add(input, &dump);
    }
    dj_xcode(result);
    dj_gfxinfo_dump_finish(&dump);
    return 0;
}

static int read_proto(struct dj_input_reader *reader, enum dj_input_part_kind kind,
                      struct dj_dump_input *input, struct dj_error *err)
{
    struct dj_text whole = {.maximum = MOST_PROTO_BYTES};
    int result = 0;
    dj_input_read_part(reader, &whole, err);
    if (whole.full) {
        dj_error_set(err, DJ_E_LIMIT,
                     "%s has more than the maximum of %zu MiB of graphicsstats",
                     dj_input_get_name(reader), MOST_PROTO_BYTES >> 20);
    } else {
        result = add_proto(input, kind, &whole, err);
    }
    dj_text_finish(&whole);
    return result;
}

/* Reads all parts. A damaged part is reported, and reading continues with the next
 * one. */
static int read_parts(struct dj_input_reader *reader, struct dj_dump_input *input)
{
    int result = 0;
    while (result == 0) {
        struct dj_error err = {0};
        struct dj_input_part part = {0};
        if (dj_input_next(reader, &part, &err) == 0 && part.kind == DJ_PART_NONE) {
            return 0;
        }
        input->report.part = part.name;
        if (err.code == 0) {
            result = part.kind == DJ_PART_TEXT
                         ? read_text(reader, input, &err)
                         : read_proto(reader, part.kind, input, &err);
        }
        input->report.part = NULL;
        if (err.code != 0) {
            dj_import_input_break(input, &err);
        }
    }
    return result;
}

/* Returns the size of a file, or 0 if the path is not a regular file. */
static size_t get_file_size(const char *path)
{
    struct stat status;
    bool file = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    return file ? (size_t)status.st_size : 0;
}

int dj_import_input_read(const char *path, const struct dj_dialect *release,
                         const struct dj_messages *messages,
                         dj_dump_input_receiver *receive, void *data,
                         struct dj_dump_input *input)
{
    struct dj_input_reader *reader = NULL;
    struct dj_error err = {0};
    int result = 0;
    dj_import_input_init(input, dj_input_name(path), release, receive, data);
    input->file_bytes = get_file_size(path);
    dj_input_await(path, messages);
    if (dj_input_open(&reader, path, &err) != 0) {
        dj_import_input_break(input, &err);
    } else {
        dj_input_repair_text(reader);
        result = read_parts(reader, input);
    }
    dj_input_close(reader);
    return result == 0 ? dj_import_input_end(input) : result;
}

bool dj_import_input_describe(const struct dj_dump_input *input,
                              const struct dj_messages *messages)
{
    const struct dj_parse_report *report = &input->report;
    size_t stored_count = report->warning_count < DJ_PARSE_WARNINGS
                              ? report->warning_count
                              : DJ_PARSE_WARNINGS;
    bool broken = input->broken.code != 0;
    for (size_t i = 0; i < stored_count; i++) {
        dj_message(messages, "%s:%zu: %s (byte %zu)", input->source,
                   report->warning[i].line, report->warning[i].message,
                   report->warning[i].byte);
    }
    if (report->warning_count > stored_count) {
        dj_message(messages, "%s: %zu more lines were skipped", input->source,
                   report->warning_count - stored_count);
    }
    if (broken) {
        dj_message(messages, "%s", input->broken.message);
    }
    /* Sends the reason if the input contains no frames, unless it was sent above. The
     * reason concerns the whole text or a place in it. */
    bool was_reported = strcmp(input->error.message, input->broken.message) == 0;
    if (!was_reported && input->outcome == DJ_OUTCOME_NOT_GFXINFO) {
        dj_message(messages, "%s: %s", input->source, input->error.message);
    } else if (!was_reported && input->outcome != DJ_OUTCOME_OK) {
        dj_message(messages, "%s:%zu: %s (byte %zu)", input->source, input->error_line,
                   input->error.message, input->error_byte);
    }
    return !broken && input->outcome == DJ_OUTCOME_OK;
}
