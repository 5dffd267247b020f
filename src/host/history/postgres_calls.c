#include "history/postgres_calls.h"

#include "history/history.h"

static struct dj_libpq libpq;
const struct dj_libpq *const dj_libpq = &libpq;

static const char *const names[] = {DJ_LIBPQ_FUNCTIONS(DJ_LIBRARY_NAME)};
_Static_assert(sizeof(names) == sizeof(libpq), "a pointer for each name");

int dj_history_postgres_ready(struct dj_error *err)
{
    static struct dj_library library = {
        .soname = "libpq.so.5",
        .package = "libpq5",
        .needed_by = "stores on a server of PostgreSQL",
        .names = names,
        .count = sizeof(names) / sizeof(names[0]),
        .pointers = &libpq,
    };
    return dj_library_load(&library, err);
}
