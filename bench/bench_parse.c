/* The speed of reading framestats text. `bench_parse FILE` makes a dump of 64 windows
 * with 4096 frames each, writes it to FILE, and reads it from memory. bench/run compares
 * this speed with that of `wc -l FILE`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame_times.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

enum { ROUNDS = 7, WINDOWS = 64, FRAMES = 4096, STAGE_NS = 700000 };

static void fill_frames(struct dj_frame *frames)
{
    int64_t stamp = INT64_C(123456789012345);
    for (int i = 0; i < FRAMES; i++) {
        for (int column = 0; column < DJ_COLUMN_COUNT; column++) {
            if (dj_frame_column_kind((enum dj_column)column) == DJ_KIND_STAGE) {
                dj_frame_set(&frames[i], (enum dj_column)column, stamp += STAGE_NS + i);
            }
        }
    }
}

static void make_text(struct dj_text *text)
{
    static struct dj_frame frames[FRAMES];
    fill_frames(frames);
    dj_text_add(text, "** Graphics info for pid 4242 [com.example.bench] **\n");
    for (int i = 0; i < WINDOWS; i++) {
        dj_text_format(text, "\ncom.example.bench/window%d (visibility=0)\n", i);
        dj_gfxinfo_print_framestats(text, frames, FRAMES, dj_frame_dialect_default(),
                                    16666667);
    }
}

/* Returns the time in ns to read the text. Ends the program if rows are missing. */
static int64_t read_once(const struct dj_text *text)
{
    struct dj_dump dump = {0};
    struct dj_parse_report report = {0};
    struct dj_error err = {0};
    int64_t start = now_ns();
    int status = dj_gfxinfo_parse_dump(text->data, text->length, &dump, &report, &err);
    int64_t spent_ns = now_ns() - start;
    if (status != 0 || report.rows != (size_t)WINDOWS * FRAMES || report.rows_bad != 0) {
        fprintf(stderr, "bench_parse: %zu of %d rows read, %zu bad: %s\n", report.rows,
                WINDOWS * FRAMES, report.rows_bad, err.message);
        exit(1);
    }
    dj_gfxinfo_dump_finish(&dump);
    return spent_ns;
}

int main(int argc, char **argv)
{
    struct dj_text text = {0};
    FILE *file = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (file == NULL) {
        fputs("usage: bench_parse FILE (a dump is left there)\n", stderr);
        return 2;
    }
    make_text(&text);
    if (text.failed || fwrite(text.data, 1, text.length, file) != text.length ||
        fclose(file) != 0) {
        perror(argv[1]);
        return 1;
    }
    int64_t best_ns = INT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t spent_ns = read_once(&text);
        best_ns = spent_ns < best_ns ? spent_ns : best_ns;
    }
    printf("%.1f\n",
           (double)text.length * 1e3 / (double)best_ns); /* bytes per µs are MB/s */
    dj_text_finish(&text);
    return 0;
}
