#include <string.h>
#include <sys/stat.h>

#include "gfxinfo/graphicsstats_proto.h"
#include "import/dump_input.h"
#include "input/read.h"
#include "memory/memory.h"

static const size_t MOST_PROTO_BYTES = (size_t)64 << 20; /* a device's are below one */

/* Not 0: the taker wants no more. What cannot be read goes to *err. */
static int read_text(struct dj_input_reader *intake, struct dj_dump_input *input,
                     struct dj_error *err)
{
    const char *bytes;
    size_t length = 0;
    int result = 0;
    while (result == 0 && dj_input_read(intake, &bytes, &length, err) == 0 &&
           length > 0) {
        result = dj_dump_input_feed(input, bytes, length);
    }
    return result == 0 ? dj_dump_input_end_text(input) : result;
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
        return dj_dump_input_add(input, &dump);
    }
    dj_xcode(result);
    dj_gfxinfo_dump_finish(&dump);
    return 0;
}

static int read_proto(struct dj_input_reader *intake, enum dj_input_part_kind kind,
                      struct dj_dump_input *input, struct dj_error *err)
{
    struct dj_text whole = {.maximum = MOST_PROTO_BYTES};
    int result = 0;
    dj_input_read_part(intake, &whole, err);
    if (whole.full) {
        dj_error_set(err, DJ_E_LIMIT,
                     "%s holds more graphicsstats than the %zu MiB that are read",
                     dj_input_get_name(intake), MOST_PROTO_BYTES >> 20);
    } else {
        result = add_proto(input, kind, &whole, err);
    }
    dj_text_finish(&whole);
    return result;
}

/* Reports a damaged part, and continues with the next one. */
static int read_parts(struct dj_input_reader *intake, struct dj_dump_input *input)
{
    int result = 0;
    while (result == 0) {
        struct dj_error err = {0};
        struct dj_input_part part = {0};
        if (dj_input_next(intake, &part, &err) == 0 && part.kind == DJ_PART_NONE) {
            return 0;
        }
        input->report.part = part.name;
        if (err.code == 0) {
            result = part.kind == DJ_PART_TEXT
                         ? read_text(intake, input, &err)
                         : read_proto(intake, part.kind, input, &err);
        }
        input->report.part = NULL;
        if (err.code != 0) {
            dj_dump_input_break(input, &err);
        }
    }
    return result;
}

/* 0 if it is not a file, or is empty. */
static size_t size_of(const char *path)
{
    struct stat status;
    bool file = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    return file ? (size_t)status.st_size : 0;
}

int dj_import_input_read(const char *path, const struct dj_dialect *release,
                         const struct dj_messages *messages, dj_dump_input_receiver *take,
                         void *data, struct dj_dump_input *input)
{
    struct dj_input_reader *intake = NULL;
    struct dj_error err = {0};
    int result = 0;
    dj_dump_input_init(input, dj_input_name(path), release, take, data);
    input->file_bytes = size_of(path);
    dj_input_await(path, messages);
    if (dj_input_open(&intake, path, &err) != 0) {
        dj_dump_input_break(input, &err);
    } else {
        dj_input_repair_text(intake);
        result = read_parts(intake, input);
    }
    dj_input_close(intake);
    return result == 0 ? dj_dump_input_end(input) : result;
}

bool dj_import_input_describe(const struct dj_dump_input *input,
                              const struct dj_messages *messages)
{
    const struct dj_parse_report *report = &input->report;
    size_t kept = report->warning_count < DJ_PARSE_WARNINGS ? report->warning_count
                                                            : DJ_PARSE_WARNINGS;
    bool broken = input->broken.code != 0;
    for (size_t i = 0; i < kept; i++) {
        dj_message(messages, "%s:%zu: %s (byte %zu)", input->source,
                   report->warning[i].line, report->warning[i].message,
                   report->warning[i].byte);
    }
    if (report->warning_count > kept) {
        dj_message(messages, "%s: %zu more lines were passed over", input->source,
                   report->warning_count - kept);
    }
    if (broken) {
        dj_message(messages, "%s", input->broken.message);
    }
    /* Why there is nothing: all of the text, or a place in it. */
    bool told = strcmp(input->error.message, input->broken.message) == 0;
    if (!told && input->outcome == DJ_OUTCOME_NOT_GFXINFO) {
        dj_message(messages, "%s: %s", input->source, input->error.message);
    } else if (!told && input->outcome != DJ_OUTCOME_OK) {
        dj_message(messages, "%s:%zu: %s (byte %zu)", input->source, input->error_line,
                   input->error.message, input->error_byte);
    }
    return !broken && input->outcome == DJ_OUTCOME_OK;
}
