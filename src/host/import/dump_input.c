#include "import/dump_input.h"

#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "trace/sniff.h"

/* Passes a dump to the callback, and then finishes the dump. */
static int pass_dump(struct dj_dump_input *input, struct dj_parsed *parsed)
{
    if (input->dumps == 0 || parsed->outcome < input->outcome) {
        input->outcome = parsed->outcome;
        input->error = parsed->error;
    }
    if (input->dialect == NULL && parsed->dump.dialect != NULL) {
        input->dialect = parsed->dump.dialect;
        input->dialect_inferred = parsed->dump.dialect_inferred;
        input->evidence = parsed->dump.evidence;
    }
    input->dumps++;
    int result = input->receive(input->receive_data, parsed);
    dj_import_finish_dump(parsed);
    return result;
}

bool dj_import_input_was_refused(const struct dj_dump_input *input)
{
    const struct dj_parse_report *report = &input->report;
    return report->refusal != DJ_REFUSAL_NONE &&
           (input->refusal_line != report->refusal_line ||
            input->refusal_byte != report->refusal_byte);
}

int dj_import_input_add(struct dj_dump_input *input, struct dj_dump *dump)
{
    struct dj_parsed parsed = {.source = input->source,
                               .dump = *dump,
                               .refusal = input->report.refusal,
                               .was_refused = dj_import_input_was_refused(input),
                               .first = input->dumps == 0};
    *dump = (struct dj_dump){0};
    input->refusal_line = input->report.refusal_line;
    input->refusal_byte = input->report.refusal_byte;
    if (input->release != NULL) {
        dj_gfxinfo_release_set(&parsed.dump, input->release);
    }
    dj_import_compute_dump(&parsed);
    return pass_dump(input, &parsed);
}

static int receive_dump(void *data, struct dj_dump *dump)
{
    return dj_import_input_add(data, dump);
}

void dj_import_input_init(struct dj_dump_input *input, const char *source,
                          const struct dj_dialect *release,
                          dj_dump_input_receiver *receive, void *data)
{
    *input = (struct dj_dump_input){
        .source = source,
        .outcome = DJ_OUTCOME_NOT_GFXINFO,
        .error_line = 1,
        .release = release,
        .receive = receive,
        .receive_data = data,
    };
    input->parser = dj_gfxinfo_parser_create(receive_dump, input, &input->report);
    dj_xcheck(input->parser != NULL);
}

int dj_import_input_feed(struct dj_dump_input *input, const char *bytes, size_t length)
{
    if (input->head.length == 0) {
        dj_text_append(&input->head, bytes, length);
    }
    return dj_xcode(dj_gfxinfo_parser_feed(input->parser, bytes, length));
}

int dj_import_input_end_text(struct dj_dump_input *input)
{
    return dj_xcode(dj_gfxinfo_parser_end(input->parser));
}

void dj_import_input_break(struct dj_dump_input *input, const struct dj_error *err)
{
    input->broken = *err;
}

/* Sets the place of the error. If a message of the device is the reason, this is the
 * place of the message. */
static void find_place(struct dj_dump_input *input)
{
    const struct dj_parse_report *report = &input->report;
    if (input->outcome == DJ_OUTCOME_PERMISSION_DENIED ||
        input->outcome == DJ_OUTCOME_DUMP_FAILED) {
        input->error_line = report->refusal_line;
        input->error_byte = report->refusal_byte;
    } else if (input->outcome == DJ_OUTCOME_NO_PROCESS) {
        input->error_line = report->not_found_line;
        input->error_byte = report->not_found_byte;
    }
}

/* Sets the error for a trace. The message contains the command that reads traces. */
static void refuse_trace(const struct dj_dump_input *input, struct dj_error *err)
{
    struct dj_text word = {0};
    bool piped = strcmp(input->source, "standard input") == 0;
    dj_device_quote_word(&word, piped ? "-" : input->source);
    dj_error_set(err, DJ_E_NO_DATA,
                 "this is a trace, not the output of dumpsys gfxinfo; run: dejank trace "
                 "read %s",
                 dj_xtext(&word));
    dj_text_finish(&word);
}

/* Passes an empty dump to the callback, because the text contains none or could not be
 * read. */
static int pass_empty_dump(struct dj_dump_input *input)
{
    struct dj_parsed parsed = {.source = input->source, .first = true};
    parsed.dump = (struct dj_dump){.uptime_ms = -1, .realtime_ms = -1};
    parsed.outcome = dj_parsed_dump_get_empty_outcome(&input->report);
    if (input->broken.code != 0) {
        parsed.error = input->broken;
    } else if (parsed.outcome == DJ_OUTCOME_NOT_GFXINFO &&
               dj_trace_sniff(dj_xtext(&input->head), input->head.length,
                              input->file_bytes)) {
        refuse_trace(input, &parsed.error);
    } else if (parsed.outcome != DJ_OUTCOME_NO_FRAMES) {
        dj_gfxinfo_describe_no_data(&input->report, &parsed.error);
    } else {
        dj_error_set(&parsed.error, DJ_E_NO_DATA,
                     "the dump contains no process: start the app, then dump again");
    }
    return pass_dump(input, &parsed);
}

int dj_import_input_end(struct dj_dump_input *input)
{
    int result = input->dumps == 0 ? pass_empty_dump(input) : 0;
    find_place(input);
    return result;
}

void dj_import_input_finish(struct dj_dump_input *input)
{
    dj_gfxinfo_parser_destroy(input->parser);
    dj_text_finish(&input->head);
    input->parser = NULL;
}
