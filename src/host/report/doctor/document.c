/* Builds the document of `dejank doctor`: whether recording works, the checks of the
 * machine, and the sources of frame times of a program. */
#include <string.h>

#include "memory/memory.h"
#include "report/diagnosis.h"

bool dj_report_can_record(const struct dj_diagnosis *diagnosis)
{
    bool machine = diagnosis->check[0].fine && diagnosis->check[1].fine;
    return machine && diagnosis->obstacle == NULL;
}

static size_t count_sources(const struct dj_diagnosis *diagnosis)
{
    size_t count = 0;
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        count += diagnosis->source[i].reach != DJ_REACH_ABSENT;
    }
    return count;
}

/* Appends the names of the checks that failed, such as " (failed: adb, libraries)". */
static void write_failed(struct dj_text *words, const struct dj_diagnosis *diagnosis)
{
    const char *before = " (failed: ";
    for (size_t i = 0; i < DJ_CHECKS; i++) {
        if (!diagnosis->check[i].fine) {
            dj_text_format(words, "%s%s", before, diagnosis->check[i].name);
            before = ", ";
        }
    }
    dj_text_add(words, ")");
}

static const char *get_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void write_program_verdict(struct dj_text *words,
                                  const struct dj_diagnosis *diagnosis)
{
    const char *name = get_file_name(diagnosis->path);
    const char *before = ": ";
    if (diagnosis->obstacle != NULL) {
        dj_text_format(words, "%s cannot be recorded: %s", name, diagnosis->obstacle);
        return;
    }
    if (count_sources(diagnosis) == 0) {
        dj_text_format(words, "%s names no library that dejank can record", name);
        return;
    }
    dj_text_format(words, "dejank can record %s", name);
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        if (diagnosis->source[i].reach != DJ_REACH_ABSENT) {
            dj_text_format(words, "%s%s", before, diagnosis->source[i].name);
            before = ", ";
        }
    }
}

static void add_verdict(struct dj_document *document,
                        const struct dj_diagnosis *diagnosis)
{
    struct dj_text words = {0};
    size_t failed = 0;
    bool works = diagnosis->check[0].fine && diagnosis->check[1].fine;
    for (size_t i = 0; i < DJ_CHECKS; i++) {
        failed += !diagnosis->check[i].fine;
    }
    enum dj_tone tone = !dj_report_can_record(diagnosis) ? DJ_TONE_BAD
                        : failed > 0                     ? DJ_TONE_WARNING
                                                         : DJ_TONE_GOOD;
    if (diagnosis->command != NULL && works) {
        write_program_verdict(&words, diagnosis);
    } else if (!works) {
        dj_text_add(&words, "Recording does not work on this machine");
        write_failed(&words, diagnosis);
    } else {
        dj_text_add(&words, "Recording works on this machine");
        if (failed > 0) {
            dj_text_add(&words, "; other features do not");
            write_failed(&words, diagnosis);
        }
    }
    dj_document_add_verdict(document, tone, &words);
}

static void get_check(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_check *)record)->name);
}

static void get_state(struct dj_cell *cell, const void *record)
{
    bool fine = ((const struct dj_check *)record)->fine;
    cell->tone = fine ? DJ_TONE_GOOD : DJ_TONE_BAD;
    dj_cell_format(cell, "%s", fine ? "ok" : "failed");
}

static void get_found(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_check *)record)->found);
}

static const struct dj_table_column check_columns[] = {
    {"check", NULL, false, get_check},
    {"state", NULL, false, get_state},
    {"found", NULL, false, get_found},
};

static void get_source(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_recorder_source *)record)->name);
}

static void get_reach(struct dj_cell *cell, const void *record)
{
    const struct dj_recorder_source *source = record;
    dj_cell_format(cell, "%s", dj_device_recorder_sources_reach_name(source->reach));
}

static void get_library(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_recorder_source *)record)->library);
}

static void get_data(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_recorder_source *)record)->gives);
}

static const struct dj_table_column source_columns[] = {
    {"source", NULL, false, get_source},
    {"found", NULL, false, get_reach},
    {"library", NULL, false, get_library},
    {"adds to each frame", NULL, false, get_data},
};

static void add_sources(struct dj_document *document,
                        const struct dj_diagnosis *diagnosis)
{
    struct dj_text words = {0};
    dj_document_begin_table(document, source_columns, COUNT_OF(source_columns));
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        if (diagnosis->source[i].reach != DJ_REACH_ABSENT) {
            dj_document_add_row(document, &diagnosis->source[i]);
        }
    }
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        if (diagnosis->source[i].reach == DJ_REACH_ABSENT) {
            dj_text_format(&words, "%s%s", words.length > 0 ? ", " : "Not seen: ",
                           diagnosis->source[i].name);
        }
    }
    if (words.length > 0) {
        dj_document_add_note(document, DJ_TONE_MUTED, &words);
    }
}

static void add_note(struct dj_document *document, enum dj_tone tone,
                     const char *sentence)
{
    struct dj_text words = {0};
    dj_text_add(&words, sentence);
    dj_document_add_note(document, tone, &words);
}

static void add_program(struct dj_document *document,
                        const struct dj_diagnosis *diagnosis)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s", diagnosis->path);
    dj_document_add_section(document, 2, NULL, &words);
    if (diagnosis->obstacle != NULL) {
        dj_text_format(&words, "cannot be recorded: %s", diagnosis->obstacle);
        dj_document_add_paragraph(document, &words);
        return;
    }
    add_sources(document, diagnosis);
    if (diagnosis->interpreter[0] != '\0') {
        add_note(document, DJ_TONE_PLAIN,
                 "The command is a script. dejank records the programs that the script "
                 "starts. The table describes the interpreter of the script.");
    }
    if (count_sources(diagnosis) > 0) {
        add_note(
            document, DJ_TONE_PLAIN,
            "\"may load\": a library of the program contains the name of this function. "
            "Only a recording shows whether the program calls the function.");
    } else {
        add_note(
            document, DJ_TONE_WARNING,
            "The program may load a toolkit as a plug-in, or draw in a way that dejank "
            "cannot record.");
        add_note(document, DJ_TONE_PLAIN,
                 "A program can also report its own frames (dejank/frames.h).");
    }
}

static void add_commands(struct dj_document *document,
                         const struct dj_diagnosis *diagnosis)
{
    struct dj_text words = {0};
    for (size_t i = 0; i < DJ_CHECKS; i++) {
        const struct dj_check *check = &diagnosis->check[i];
        if (check->remedy != NULL) {
            dj_text_format(&words, check->fine ? "improves '%s'" : "fixes '%s'",
                           check->name);
            dj_document_add_command(document, check->remedy, dj_xtext(&words));
            dj_text_clear(&words);
        }
    }
    if (diagnosis->command == NULL) {
        dj_document_add_command(document, "dejank doctor -- PROGRAM",
                                "check whether dejank can record a program");
    } else if (diagnosis->interpreter[0] != '\0') {
        dj_text_format(&words, "dejank doctor -- %s", diagnosis->interpreter);
        dj_document_add_command(document, dj_xtext(&words), "check the interpreter");
    } else if (dj_report_can_record(diagnosis) && count_sources(diagnosis) > 0) {
        dj_text_format(&words, "dejank record -- %s", diagnosis->command);
        dj_document_add_command(document, dj_xtext(&words), "record it");
    }
    dj_text_finish(&words);
}

void dj_report_build_diagnosis(struct dj_document *document,
                               const struct dj_diagnosis *diagnosis)
{
    dj_document_set_title(document, "This machine — dejank doctor");
    add_verdict(document, diagnosis);
    dj_document_begin_table(document, check_columns, COUNT_OF(check_columns));
    for (size_t i = 0; i < DJ_CHECKS; i++) {
        dj_document_add_row(document, &diagnosis->check[i]);
    }
    if (diagnosis->command != NULL) {
        add_program(document, diagnosis);
    }
    add_commands(document, diagnosis);
}
