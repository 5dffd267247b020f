#include "cli/forms.h"

#include <string.h>

#include "cli/holdings.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/read_input.h"
#include "memory/memory.h"
#include "report/dump_csv.h"
#include "report/dump_output.h"

enum {
    PRINT_BYTES = 1 << 20, /* printed at once */
    CSV_BYTES = 4 << 20    /* of rows, after which the CSV's columns are settled */
};

struct writer {
    const struct dj_forming *forming;
    struct dj_text *out;
    struct dj_json_input json;
    struct dj_dump_csv csv;
    struct dj_page page;
    struct dj_holdings holdings; /* of the input */
    bool after_page;             /* the next page is parted from one before it */
    struct dj_error error;
};

/* ---- the forms ---- */

static void begin_input(struct writer *writer, const char *source)
{
    if (writer->forming->form == DJ_FORM_JSON) {
        dj_report_json_begin(writer->out, source);
    } else if (writer->forming->form == DJ_FORM_PAGE) {
        dj_text_string(writer->out, writer->after_page ? "\n" : "");
        writer->after_page = true;
    }
}

static void write_dump(struct writer *writer, const struct dj_parsed *parsed)
{
    struct dj_text *out = writer->out;
    size_t *shown = &writer->holdings.shown;
    switch (writer->forming->form) {
    case DJ_FORM_PAGE:
        dj_report_page_dump(out, &writer->page, parsed);
        break;
    case DJ_FORM_JSON:
        dj_report_json_dump(out, &writer->json, parsed, writer->forming->rows);
        break;
    case DJ_FORM_CSV:
        *shown += dj_dump_csv_rows(&writer->csv, out, parsed);
        break;
    case DJ_FORM_CSV_PROFILE:
        *shown += dj_dump_csv_profile_rows(out, parsed);
        break;
    case DJ_FORM_TABLE:
        *shown += dj_report_dump_table(out, parsed);
        break;
    }
}

static void end_input(struct writer *writer, const struct dj_input *input)
{
    if (writer->forming->form == DJ_FORM_JSON) {
        dj_report_json_end(writer->out, &writer->json, input);
    } else if (writer->forming->form == DJ_FORM_PAGE) {
        dj_report_page_end(writer->out, &writer->page, input);
    }
}

/* ---- output ---- */

/* All but the last byte, after which JSON knows whether a comma is due. */
static int print_some(struct writer *writer, size_t kept)
{
    struct dj_text *out = writer->out;
    struct dj_text safe = {0};
    dj_xtext(out);
    if (out->length <= kept) {
        return 0;
    }
    char last = out->data[out->length - 1];
    out->length -= kept;
    /* JSON and CSV escape what names hold, for a person's terminal too; others do not. */
    bool escapes =
        writer->forming->form != DJ_FORM_PAGE && writer->forming->form != DJ_FORM_TABLE;
    if (!escapes) {
        dj_text_escaped(&safe, out->data, out->length);
    }
    int result = dj_output_print(escapes ? out : &safe, &writer->error);
    dj_text_clear(out);
    dj_text_append(out, &last, kept);
    dj_text_finish(&safe);
    return result;
}

static int take(void *data, struct dj_parsed *parsed)
{
    struct writer *writer = data;
    write_dump(writer, parsed);
    dj_holdings_add(&writer->holdings, parsed);
    bool unsettled = writer->forming->form == DJ_FORM_CSV && !writer->csv.settled;
    bool print = writer->forming->print &&
                 writer->out->length > (unsettled ? CSV_BYTES : PRINT_BYTES);
    if (print && unsettled) {
        dj_dump_csv_settle(&writer->csv, writer->out);
    }
    return print ? print_some(writer, 1) : 0;
}

/* The columns of the CSV are in its header, which is printed long before its end. */
static void settle_csv(struct writer *writer)
{
    dj_dump_csv_settle(&writer->csv, writer->out);
    if (writer->csv.lost > 0) {
        dj_complain("the CSV lacks %zu columns that no release has: the header is "
                    "written after %d MiB of rows and has at most %d of them",
                    writer->csv.lost, CSV_BYTES >> 20, DJ_DUMP_CSV_OTHERS);
    }
}

/* ---- inputs ---- */

/* A form of rows is not silent where there are none. */
static void talk_of_holdings(struct writer *writer, const char *source)
{
    struct dj_text words = {0};
    dj_holdings_describe(&words, &writer->holdings, writer->forming->form);
    if (words.length > 0) {
        dj_complain("%s: %s", source, dj_xtext(&words));
    }
    dj_text_finish(&words);
}

static int write_input(struct writer *writer, const char *path, int *code)
{
    struct dj_input input;
    writer->holdings = (struct dj_holdings){0};
    begin_input(writer, dj_input_name(path));
    int result = dj_read_dumps(path, writer->forming->release, take, writer, &input);
    if (result == 0) {
        int one = dj_talk_of_input(&input);
        *code = one > *code ? one : *code;
        talk_of_holdings(writer, input.source);
        end_input(writer, &input);
    }
    dj_input_finish(&input);
    return result;
}

int dj_forms_write(const struct dj_forming *forming, int count, char **paths,
                   struct dj_text *out)
{
    struct writer writer = {.forming = forming, .out = out};
    int code = DJ_EXIT_OK;
    int result = 0;
    if (forming->form == DJ_FORM_JSON) {
        dj_report_json_open(out);
    } else if (forming->form == DJ_FORM_CSV_PROFILE) {
        dj_dump_csv_profile_header(out);
    }
    for (int i = 0; i < count && result == 0; i++) {
        result = write_input(&writer, paths[i], &code);
    }
    if (result == 0 && forming->form == DJ_FORM_CSV) {
        settle_csv(&writer);
    } else if (result == 0 && forming->form == DJ_FORM_JSON) {
        dj_report_json_close(out);
    }
    if (result == 0 && forming->print) {
        result = print_some(&writer, 0);
    }
    if (result != 0) {
        dj_complain("%s", writer.error.message);
        code = dj_exit_for(result);
    }
    dj_text_finish(&writer.json.graphicsstats);
    dj_text_finish(&writer.json.daveys);
    dj_dump_csv_finish(&writer.csv);
    dj_report_page_finish(&writer.page);
    return code;
}
