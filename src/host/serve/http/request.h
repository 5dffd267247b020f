/* Parses the target of an HTTP request: the segments of its path, and its parameters. */
#ifndef DEJANK_SERVE_HTTP_REQUEST_H
#define DEJANK_SERVE_HTTP_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "memory/strings.h"

enum {
    DJ_TARGET_BYTES_MAX = 8192,
    DJ_SEGMENTS_MAX = 8,   /* Maximum number of segments of a path. */
    DJ_PARAMETERS_MAX = 32 /* Maximum number of parameters, of the query and of a form. */
};

struct dj_web_parameter {
    const char *name, *value;
};

/* A parsed request. Zero the struct before use. */
struct dj_request {
    /* Segments of the path. "/batches/3f9a" has the segments "batches" and "3f9a". "/"
     * has no segment. */
    const char *segments[DJ_SEGMENTS_MAX];
    size_t segment_count;
    struct dj_web_parameter parameters[DJ_PARAMETERS_MAX];
    size_t parameter_count;
    struct dj_strings strings; /* Owns the decoded texts. */
};

/* Parses a target such as "/compare/A..B?metric=p95". Percent-decodes each segment and
 * parameter. Returns DJ_E_INVALID if the target is not a path, is not UTF-8, or contains
 * a control character or an invalid percent code. Returns DJ_E_LIMIT if it has too many
 * segments or parameters. Call dj_serve_finish_request() even after an error. */
int dj_serve_parse_target(const char *target, struct dj_request *request,
                          struct dj_error *err);

/* Adds the fields of a form (application/x-www-form-urlencoded) to the parameters. */
int dj_serve_parse_form(const char *body, size_t length, struct dj_request *request,
                        struct dj_error *err);

void dj_serve_finish_request(struct dj_request *request);

/* Returns the value of the first parameter with this name, or NULL if there is none or if
 * it is empty. */
const char *dj_serve_get_parameter(const struct dj_request *request, const char *name);

/* Stores the values of all parameters with this name that are not empty, at most `most`.
 * Returns the number of these parameters, which may be larger. */
size_t dj_serve_get_parameters(const struct dj_request *request, const char *name,
                               const char **values, size_t most);

/* Sets *number to the value of a parameter, or to `otherwise` if the parameter is
 * missing. Returns DJ_E_INVALID if the value is not a whole number from `least` to
 * `most`. */
int dj_serve_get_number(const struct dj_request *request, const char *name,
                        int64_t otherwise, int64_t least, int64_t most, int64_t *value,
                        struct dj_error *err);

#endif
