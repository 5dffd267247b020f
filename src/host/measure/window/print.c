/* Prints the result of a window. */
#include <errno.h>

#include "gfxinfo/print.h"
#include "measure/collect.h"
#include "output/stream.h"

/* Prints the text. If `drain` is not NULL, calls it with parts of the text. */
static void print(struct dj_text *text, const struct dj_collection *collection, bool rows,
                  void (*drain)(void *user, struct dj_text *text), void *user)
{
    const struct dj_print_options options = {
        .dialect = dj_gfxinfo_dump_dialect(&collection->dump, NULL),
        .framestats = rows,
        .drain = drain,
        .user = user};
    dj_gfxinfo_print_dump(text, &collection->dump, &options);
    if (collection->timestats.length > 0) {
        dj_text_add(text, "\n");
        dj_text_append(text, dj_text_get(&collection->timestats),
                       collection->timestats.length);
    }
}

void dj_measure_print_collection(struct dj_text *text,
                                 const struct dj_collection *collection, bool rows)
{
    print(text, collection, rows, NULL, NULL);
}

struct writing {
    int fd;
    int failure; /* The errno of the first failed write, or 0. */
};

static void drain(void *user, struct dj_text *text)
{
    struct writing *writing = user;
    if (writing->failure == 0) {
        writing->failure =
            text->failed ? ENOMEM
                         : dj_output_stream_write_all(writing->fd, dj_text_get(text),
                                                      text->length);
    }
    dj_text_clear(text);
}

int dj_measure_write_collection(void *collection, int fd)
{
    struct writing writing = {.fd = fd};
    struct dj_text text = {0};
    print(&text, collection, true, drain, &writing);
    drain(&writing, &text);
    dj_text_finish(&text);
    return writing.failure;
}
