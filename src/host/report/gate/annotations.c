#include "base/json.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/gate.h"
#include "store/sha256.h"

/* The names of the gate's answers in annotations. */
static const struct {
    const char *command;  /* The workflow command of GitHub. */
    const char *severity; /* Name of the severity in GitLab. */
} levels[DJ_GATE_ANSWERS] = {
    [DJ_GATE_PASS] = {"notice", "info"},
    [DJ_GATE_FAIL] = {"error", "critical"},
    [DJ_GATE_NOT_MEASURED] = {"error", "major"},
    [DJ_GATE_UNDECIDED] = {"warning", "minor"},
};

/* Escapes the characters that would end a workflow command, or a property of the command.
 */
static void write_escaped(struct dj_text *text, const char *string, bool property)
{
    for (; *string != '\0'; string++) {
        bool special = *string == '%' || *string == '\r' || *string == '\n' ||
                       (property && (*string == ':' || *string == ','));
        if (special) {
            dj_text_format(text, "%%%02X", (unsigned)(unsigned char)*string);
        } else {
            dj_text_append(text, string, 1);
        }
    }
}

static void write_command(struct dj_text *text, const struct dj_gate_report *report,
                          enum dj_gate_answer answer, const char *title,
                          const char *message)
{
    dj_text_format(text, "::%s ", levels[answer].command);
    if (report->place != NULL) {
        dj_text_add(text, "file=");
        write_escaped(text, report->place, true);
        dj_text_add(text, ",");
    }
    dj_text_add(text, "title=");
    write_escaped(text, title, true);
    dj_text_add(text, "::");
    write_escaped(text, message, false);
    dj_text_add(text, "\n");
}

void dj_report_write_gate_github(struct dj_text *text,
                                 const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    struct dj_text title = {0}, message = {0};
    for (size_t i = 0; i < gate->cell_count; i++) {
        const struct dj_gate_cell *cell = &gate->cell[i];
        if (cell->answer == DJ_GATE_PASS) {
            continue;
        }
        dj_text_clear(&title);
        dj_text_clear(&message);
        dj_name_format(&title, "dejank: %s on %s", cell->batches->flow,
                       cell->batches->serial);
        dj_gate_format_cell(&message, cell);
        write_command(text, report, cell->answer, dj_xtext(&title), dj_xtext(&message));
    }
    dj_text_clear(&message);
    dj_gate_format(&message, gate);
    write_command(text, report, gate->answer, "dejank gate", dj_xtext(&message));
    dj_text_finish(&title);
    dj_text_finish(&message);
}

/* Writes the id of a finding. The same finding of the same flow and device has the same
 * id in each commit, so GitLab can distinguish new findings from old ones. */
static void write_fingerprint(struct dj_text *text, const struct dj_gate_cell *cell,
                              const char *what)
{
    struct dj_text identity = {0};
    char digits[DJ_SHA256_HEX_BYTES];
    dj_text_format(&identity, "%s%c%s%c%s", what, '\n',
                   cell != NULL ? cell->batches->flow : "", '\n',
                   cell != NULL ? cell->batches->serial : "");
    dj_store_sha256_of_bytes(dj_xtext(&identity), identity.length, digits);
    dj_json_add_string(text, "fingerprint", digits);
    dj_text_finish(&identity);
}

static void write_finding(struct dj_text *text, const struct dj_gate_report *report,
                          const struct dj_gate_cell *cell, enum dj_gate_answer answer)
{
    struct dj_text description = {0};
    if (cell != NULL) {
        dj_name_format(&description, "%s on %s: ", cell->batches->flow,
                       cell->batches->serial);
        dj_gate_format_cell(&description, cell);
    } else {
        dj_gate_format(&description, report->gate);
    }
    dj_json_open_object(text, NULL);
    dj_json_add_text(text, "description", &description);
    dj_json_add_string(text, "check_name", "dejank-gate");
    write_fingerprint(text, cell, dj_gate_answer_name(answer));
    dj_json_add_string(text, "severity", levels[answer].severity);
    dj_json_open_object(text, "location");
    dj_json_add_string(text, "path", report->place != NULL ? report->place : "dejank");
    dj_json_open_object(text, "lines");
    dj_json_add_int(text, "begin", 1);
    dj_json_close(text, "}}}");
}

void dj_report_write_gate_gitlab(struct dj_text *text,
                                 const struct dj_gate_report *report)
{
    const struct dj_gate *gate = report->gate;
    dj_json_open_array(text, NULL);
    for (size_t i = 0; i < gate->cell_count; i++) {
        if (gate->cell[i].answer != DJ_GATE_PASS) {
            write_finding(text, report, &gate->cell[i], gate->cell[i].answer);
        }
    }
    if (gate->stale) {
        write_finding(text, report, NULL, DJ_GATE_NOT_MEASURED);
    }
    dj_json_close(text, "]\n");
}
