#include <string.h>

#include "gfxinfo/read/reader.h"
#include "gfxinfo/release.h"

enum { LEAST_DASHES = 40 };

void dj_reader_close_section(struct dj_reader *reader)
{
    dj_reader_add_truncated_title(reader);
    if (reader->section.length == 0 || reader->process == NULL || reader->failed) {
        dj_text_clear(&reader->section);
        return;
    }
    struct dj_dump_section *section = dj_gfxinfo_dump_add_section(reader->process);
    if (section == NULL) {
        reader->failed = true;
        return;
    }
    /* The buffer may contain more than the section, so the end is set here. */
    reader->section.data[reader->section.length] = '\0';
    section->line = reader->section_place.line;
    section->text = reader->section.data;
    reader->section = (struct dj_text){0};
}

void dj_reader_add_section_line(struct dj_reader *reader, struct dj_str text)
{
    if (reader->process == NULL) {
        return;
    }
    size_t before = reader->section_bytes;
    reader->section_bytes += text.length + 1;
    if (reader->section_bytes > DJ_PARSE_SECTION_BYTES) {
        if (before <= DJ_PARSE_SECTION_BYTES) {
            dj_reader_warn(
                reader,
                "more than %d bytes of other text in one process: ignored the rest",
                DJ_PARSE_SECTION_BYTES);
        }
        return;
    }
    if (reader->section.length == 0) {
        reader->section_place = dj_reader_get_place(reader);
    } else {
        dj_text_append(&reader->section, "\n", 1);
    }
    size_t from = reader->section.length;
    dj_reader_append(reader, &reader->section, text);
    for (size_t i = from; i < reader->section.length; i++) {
        if (reader->section.data[i] == '\0') {
            reader->section.data[i] = ' ';
        }
    }
}

static bool contains(struct dj_str line, const char *word)
{
    return memmem(line.at, line.length, word, strlen(word)) != NULL;
}

static bool is_gfxinfo_part(struct dj_str line)
{
    return contains(line, "gfxinfo") || contains(line, "graphicsstats");
}

/* Returns whether the line consists of dashes, as between the services of a bug
 * report. */
static bool is_rule(struct dj_str line)
{
    size_t dashes = 0;
    while (dashes < line.length && line.at[dashes] == '-') {
        dashes++;
    }
    return dashes >= LEAST_DASHES && dashes == line.length;
}

void dj_reader_read_fingerprint(struct dj_reader *reader, struct dj_str line)
{
    static const char word[] = "Build fingerprint:";
    if (dj_str_begins(line, word)) {
        reader->stated_releases =
            dj_release_of_fingerprint(line.at + strlen(word), line.length - strlen(word));
    }
}

bool dj_reader_read_report_part(struct dj_reader *reader, struct dj_str line)
{
    bool service = dj_str_begins(line, "DUMP OF SERVICE ");
    bool report = service || dj_str_begins(line, "== dumpstate: ");
    bool ruled = dj_str_begins(line, "------ ") && dj_str_ends(line, " ------");
    bool ended = dj_str_begins(line, "--------- ") &&
                 contains(line, " was the duration of dumpsys ");
    reader->bug_report = reader->bug_report || report || ended;
    if (!report && !ended && !(ruled && reader->bug_report)) {
        return reader->bug_report && is_rule(line);
    }
    dj_reader_end_block(reader);
    dj_surface_close(reader);
    dj_reader_close_process(reader);
    reader->surface.in_part = !ended && contains(line, "SurfaceFlinger");
    reader->elsewhere = ended || !is_gfxinfo_part(line);
    reader->in_service = service && !reader->elsewhere;
    return true;
}
