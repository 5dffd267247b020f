/* Prints the result of a window. */
#include "gfxinfo/print.h"
#include "measure/collect.h"

void dj_measure_print_collection(struct dj_text *text,
                                 const struct dj_collection *collection, bool rows,
                                 void (*drain)(void *user, struct dj_text *text),
                                 void *user)
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
