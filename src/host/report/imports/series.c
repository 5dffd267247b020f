#include <inttypes.h>

#include "base/json.h"
#include "input/read.h"
#include "report/imports.h"

void dj_report_imported_series_json(struct dj_text *out, const char *path,
                                    const struct dj_imported_series *result)
{
    const struct dj_series_file *file = &result->file;
    const struct dj_store_series_counts *stored = &result->stored;
    const struct dj_error *err = result->error.code != 0 ? &result->error : NULL;
    dj_json_open_object(out, NULL);
    dj_json_add_string(out, "file", dj_input_name(path));
    dj_json_add_string(out, "state", err == NULL ? "imported" : "refused");
    dj_json_add_string(out, "error", err != NULL ? err->message : NULL);
    dj_json_add_known(out, "line",
                      err != NULL && file->error_line > 0 ? (int64_t)file->error_line
                                                          : -1);
    dj_json_add_string(out, "project", result->project);
    dj_json_add_int(out, "series", err == NULL ? (int64_t)file->count : 0);
    dj_json_add_int(out, "new_series", stored->series);
    dj_json_add_int(out, "new_points", stored->points);
    dj_json_add_int(out, "known_points", stored->known_points);
    dj_json_add_int(out, "duplicates", (int64_t)file->duplicates);
    dj_json_add_int(out, "empty", (int64_t)file->empty);
    dj_json_add_int(out, "backwards", (int64_t)file->backwards);
    dj_json_add_bool(out, "newest_first", file->newest_first);
    dj_json_close(out, "}");
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void dj_report_imported_series_text(struct dj_text *out,
                                    const struct dj_imported_series *result)
{
    const struct dj_store_series_counts *stored = &result->stored;
    dj_text_append_escaped_name(out, result->project);
    dj_text_format(out, ": %" PRId64 " new point%s in %zu series", stored->points,
                   plural(stored->points), result->file.count);
    if (stored->known_points > 0) {
        dj_text_format(out, ", %" PRId64 " point%s already in the store",
                       stored->known_points, plural(stored->known_points));
    }
    dj_text_add(out, "\n");
}
