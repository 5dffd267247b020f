#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/spool.h"

enum { PIECE = 100000, PIECES = 7 };

/* Fails the test unless the spool contains all blocks in order, in memory or in a
 * file. */
static void expect_whole(struct dj_output_spool *spool, int pieces)
{
    char path[] = "/tmp/dejank-spool-XXXXXX";
    int to = mkstemp(path);
    char *got = calloc(1, (size_t)PIECE * PIECES);
    cr_assert(to >= 0 && got != NULL);
    unlink(path);
    cr_assert_eq(dj_output_spool_copy(spool, to), 0);
    cr_assert_eq(lseek(to, 0, SEEK_END), (off_t)PIECE * pieces);
    cr_assert_eq(pread(to, got, (size_t)PIECE * (size_t)pieces, 0),
                 (ssize_t)PIECE * pieces);
    for (int i = 0; i < pieces; i++) {
        cr_assert_eq(got[i * PIECE], 'a' + i);
        cr_assert_eq(got[(i + 1) * PIECE - 1], 'a' + i);
    }
    free(got);
    close(to);
}

static void put(struct dj_output_spool *spool, int pieces)
{
    static char piece[PIECE];
    struct dj_error err = {0};
    for (int i = 0; i < pieces; i++) {
        memset(piece, 'a' + i, sizeof(piece));
        dj_text_append(&spool->text, piece, sizeof(piece));
        cr_assert_eq(dj_output_spool_flush(spool, &err), 0, "%s", err.message);
    }
}

Test(spool, long_text_is_stored_in_a_file)
{
    struct dj_output_spool spool = {0};
    put(&spool, PIECES);
    cr_assert_gt(spool.spill.file, 0);
    cr_assert_leq(spool.text.length, DJ_OUTPUT_SPOOL_MEMORY_BYTES);
    expect_whole(&spool, PIECES);
    expect_whole(&spool, PIECES);
    dj_output_spool_finish(&spool);
    dj_output_spool_finish(&spool);
}

Test(spool, short_text_is_stored_in_memory)
{
    struct dj_output_spool spool = {0};
    expect_whole(&spool, 0);
    put(&spool, 2);
    cr_assert_eq(spool.spill.file, 0);
    expect_whole(&spool, 2);
    dj_output_spool_finish(&spool);
}

Test(spool, a_missing_tmpdir_is_ignored)
{
    struct dj_output_spool spool = {0};
    setenv("TMPDIR", "/proc/no/such/folder", 1);
    put(&spool, PIECES);
    expect_whole(&spool, PIECES);
    dj_output_spool_finish(&spool);
}
