/* The forms in which `dejank parse` says what an input holds. All append to text; none
 * prints. */
#ifndef DEJANK_CLI_PARSE_OUTPUT_H
#define DEJANK_CLI_PARSE_OUTPUT_H

#include "base/text.h"
#include "cli/parsed.h"

/* An element of "inputs" of the schema dejank.parse/1 (docs/format/parse.md); with `rows`
 * the rows too. */
void dj_parse_json(struct dj_text *text, const struct dj_parsed *parsed, bool rows);

/* The CSV's header, and one line per framestats row (docs/format/parse.md). */
void dj_parse_csv_header(struct dj_text *text);
void dj_parse_csv(struct dj_text *text, const struct dj_parsed *parsed);

/* The rows as a table for eyes. */
void dj_parse_table(struct dj_text *text, const struct dj_parsed *parsed);

/* A page that a person reads: per process and window the figures as printed and exact,
 * and the notes. */
void dj_parse_page(struct dj_text *text, const struct dj_parsed *parsed);

#endif
