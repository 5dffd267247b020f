#include "serve/error_page.h"

#include "base/error.h"
#include "base/json.h"
#include "report/served_page.h"
#include "serve/http/microhttpd.h"

static const char *get_title(unsigned status)
{
    switch (status) {
    case MHD_HTTP_BAD_REQUEST:
        return "The request is not valid";
    case MHD_HTTP_UNAUTHORIZED:
        return "Please log in";
    case MHD_HTTP_FORBIDDEN:
        return "Not allowed";
    case MHD_HTTP_NOT_FOUND:
        return "Not found";
    case MHD_HTTP_SERVICE_UNAVAILABLE:
        return "Not available at the moment";
    default:
        return "The request failed";
    }
}

static void write_page(struct dj_text *body, unsigned status, const char *message)
{
    struct dj_document document = {0};
    struct dj_text words = {0};
    dj_document_set_title(&document, get_title(status));
    dj_text_add(&words, message);
    dj_document_add_verdict(&document, DJ_TONE_BAD, &words);
    dj_report_write_served_page(body, &(struct dj_served_content){.document = &document});
    dj_document_finish(&document);
}

void dj_serve_write_error(struct dj_reply *reply, bool for_program, unsigned status,
                          const char *message)
{
    reply->status = status;
    reply->type = for_program ? DJ_TYPE_JSON : DJ_TYPE_HTML;
    if (for_program) {
        dj_json_open_object(&reply->body, NULL);
        dj_json_add_string(&reply->body, "error", message);
        dj_json_close(&reply->body, "}\n");
    } else {
        write_page(&reply->body, status, message);
    }
    dj_text_clear(&reply->file);
}

unsigned dj_serve_choose_status(int code, bool of_store)
{
    return of_store                                         ? MHD_HTTP_SERVICE_UNAVAILABLE
           : code == DJ_E_NO_DATA || code == DJ_E_NOT_FOUND ? MHD_HTTP_NOT_FOUND
           : code == DJ_E_USAGE || code == DJ_E_INVALID || code == DJ_E_LIMIT ||
                   code == DJ_E_TRUNCATED
               ? MHD_HTTP_BAD_REQUEST
           : code == DJ_E_UNSUPPORTED ? MHD_HTTP_FORBIDDEN
                                      : MHD_HTTP_SERVICE_UNAVAILABLE;
}

void dj_serve_finish_reply(struct dj_reply *reply)
{
    dj_text_finish(&reply->body);
    dj_text_finish(&reply->location);
    dj_text_finish(&reply->cookie);
    dj_text_finish(&reply->file);
}
