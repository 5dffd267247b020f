/* Writes the CSV of `dejank parse` (docs/format/parse.md): one line per complete row, and
 * one header for all inputs. Columns that no Android release has come last. So the header
 * is known only after all rows: rows are appended to a text, and
 * dj_report_insert_dump_csv_header() inserts the header before them. */
#ifndef DEJANK_REPORT_DUMP_CSV_H
#define DEJANK_REPORT_DUMP_CSV_H

#include "import/parsed_dump.h"

enum { DJ_DUMP_CSV_EXTRA_COLUMNS = 64 };

/* A column of a dump that no Android release has. */
struct dj_csv_extra_column {
    char *name;
    /* Length in bytes of the rows that were written before the column appeared. */
    size_t rows_before;
};

/* State of writing the CSV. Zero the struct before use. */
struct dj_dump_csv {
    struct dj_csv_extra_column extra_columns[DJ_DUMP_CSV_EXTRA_COLUMNS];
    size_t extra_count;
    bool settled;
    /* Number of extra columns that the CSV lacks. They appeared after the header was
     * written, or exceed the maximum. */
    size_t lost;
};

/* Appends the rows of framestats and of Davey lines of every window to `text`. Returns
 * the number of rows. */
size_t dj_report_write_dump_csv_rows(struct dj_dump_csv *csv, struct dj_text *text,
                                     const struct dj_parsed *parsed);

/* Appends the rows of the simple dump of every window to `text`. Returns the number of
 * rows. */
size_t dj_report_write_profile_csv_rows(struct dj_text *text,
                                        const struct dj_parsed *parsed);

/* Inserts the header before the rows in `text`. Does nothing in later calls. The CSV
 * lacks extra columns that appear after the first call. */
void dj_report_insert_dump_csv_header(struct dj_dump_csv *csv, struct dj_text *text);
void dj_report_write_profile_csv_header(struct dj_text *text);

/* Frees the names of the extra columns. */
void dj_report_finish_dump_csv(struct dj_dump_csv *csv);

#endif
