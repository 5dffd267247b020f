#include "serve/http/request.h"

#include <string.h>

#include "base/str.h"
#include "base/text.h"
#include "base/utf8.h"
#include "memory/memory.h"

static int decode_digit(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

/* Decodes %XX, and also '+' to a space if plus_is_space is true. Returns false if a code
 * is invalid. */
static bool decode(struct dj_str encoded, bool plus_is_space, struct dj_text *decoded)
{
    for (size_t i = 0; i < encoded.length; i++) {
        char byte = encoded.at[i];
        if (byte == '%') {
            bool whole = i + 2 < encoded.length;
            int high = whole ? decode_digit(encoded.at[i + 1]) : -1;
            int low = whole ? decode_digit(encoded.at[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            byte = (char)(high * 16 + low);
            i += 2;
        } else if (byte == '+' && plus_is_space) {
            byte = ' ';
        }
        dj_text_append(decoded, &byte, 1);
    }
    return true;
}

static bool is_valid(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        struct dj_utf8 character = dj_utf8_at(text + at, length - at);
        if (character.code < 0 || dj_utf8_is_control(character.code)) {
            return false;
        }
        at += character.bytes;
    }
    return true;
}

/* Decodes a segment of the path, or the name or value of a parameter. */
static int read_text(struct dj_request *request, struct dj_str encoded,
                     bool plus_is_space, const char **text, struct dj_error *err)
{
    struct dj_text decoded = {0};
    int code = 0;
    if (!decode(encoded, plus_is_space, &decoded)) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "expected two hexadecimal digits after each %%");
    } else if (!is_valid(dj_xtext(&decoded), decoded.length)) {
        code =
            dj_error_set(err, DJ_E_INVALID, "expected UTF-8 without control characters");
    } else {
        *text = dj_memory_strings_add(&request->strings, dj_xtext(&decoded));
    }
    dj_text_finish(&decoded);
    return code;
}

/* Returns the text of *rest before the first `separator`, and removes this text and the
 * separator from *rest. */
static struct dj_str split(struct dj_str *rest, char separator)
{
    const char *end = rest->length > 0 ? memchr(rest->at, separator, rest->length) : NULL;
    struct dj_str part = end != NULL ? dj_str_between(rest->at, end) : *rest;
    *rest = dj_str_from(*rest, end != NULL ? part.length + 1 : part.length);
    return part;
}

static int read_path(struct dj_request *request, struct dj_str path, struct dj_error *err)
{
    int code = 0;
    if (path.length == 0 || path.at[0] != '/') {
        return dj_error_set(err, DJ_E_INVALID, "expected a path that starts with '/'");
    }
    struct dj_str rest = dj_str_from(path, 1);
    while (rest.length > 0 && code == 0) {
        struct dj_str segment = split(&rest, '/');
        if (request->segment_count == DJ_SEGMENTS_MAX) {
            return dj_error_set(err, DJ_E_LIMIT, "expected at most %d segments",
                                DJ_SEGMENTS_MAX);
        }
        if (segment.length == 0) {
            return dj_error_set(err, DJ_E_INVALID, "a segment of the path is empty");
        }
        code = read_text(request, segment, false,
                         &request->segments[request->segment_count++], err);
    }
    return code;
}

static int read_parameters(struct dj_request *request, struct dj_str rest,
                           struct dj_error *err)
{
    int code = 0;
    while (rest.length > 0 && code == 0) {
        struct dj_str value = split(&rest, '&');
        struct dj_str name = split(&value, '=');
        if (name.length == 0) {
            continue;
        }
        if (request->parameter_count == DJ_PARAMETERS_MAX) {
            return dj_error_set(err, DJ_E_LIMIT, "expected at most %d parameters",
                                DJ_PARAMETERS_MAX);
        }
        struct dj_web_parameter *parameter =
            &request->parameters[request->parameter_count];
        code = read_text(request, name, true, &parameter->name, err);
        code = code == 0 ? read_text(request, value, true, &parameter->value, err) : code;
        request->parameter_count += code == 0;
    }
    return code;
}

int dj_serve_parse_target(const char *target, struct dj_request *request,
                          struct dj_error *err)
{
    struct dj_str query = dj_str_of(target);
    if (query.length > DJ_TARGET_BYTES_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "the address is longer than %d bytes",
                            DJ_TARGET_BYTES_MAX);
    }
    struct dj_str path = split(&query, '?');
    int code = read_path(request, path, err);
    return code == 0 ? read_parameters(request, query, err) : code;
}

int dj_serve_parse_form(const char *body, size_t length, struct dj_request *request,
                        struct dj_error *err)
{
    return read_parameters(request, (struct dj_str){body, length}, err);
}

void dj_serve_finish_request(struct dj_request *request)
{
    dj_memory_strings_finish(&request->strings);
    *request = (struct dj_request){0};
}

const char *dj_serve_get_parameter(const struct dj_request *request, const char *name)
{
    for (size_t i = 0; i < request->parameter_count; i++) {
        const struct dj_web_parameter *parameter = &request->parameters[i];
        if (strcmp(parameter->name, name) == 0) {
            return parameter->value[0] != '\0' ? parameter->value : NULL;
        }
    }
    return NULL;
}

size_t dj_serve_get_parameters(const struct dj_request *request, const char *name,
                               const char **values, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < request->parameter_count; i++) {
        const struct dj_web_parameter *parameter = &request->parameters[i];
        if (strcmp(parameter->name, name) == 0 && parameter->value[0] != '\0') {
            if (count < most) {
                values[count] = parameter->value;
            }
            count++;
        }
    }
    return count;
}

int dj_serve_get_number(const struct dj_request *request, const char *name,
                        int64_t otherwise, int64_t least, int64_t most, int64_t *value,
                        struct dj_error *err)
{
    const char *word = dj_serve_get_parameter(request, name);
    *value = otherwise;
    if (word != NULL &&
        (word[strspn(word, "0123456789")] != '\0' ||
         !dj_str_int(dj_str_of(word), value) || *value < least || *value > most)) {
        return dj_error_set(err, DJ_E_INVALID,
                            "%s: expected a number from %lld to %lld, found '%.40s'",
                            name, (long long)least, (long long)most, word);
    }
    return 0;
}
