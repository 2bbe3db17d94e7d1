// Two tokens that only a look at what follows can tell; nothing is remembered between tokens.
//
// 1. The parenthesis of constructor arguments: `FTimer Timer(0.5, true);` against `void Tick(float Delta) {`.
//    The grammar asks where a type and a name stand before it. Parameters begin with two names, or are none.
// 2. The end of a macro's line without its `)`: the engine's preprocessor reads a macro line by line, so a macro
//    whose list was not closed ends there, unless the next line goes on like a list.

#include "tree_sitter/parser.h"

enum TokenType { CONSTRUCTOR_PARENTHESIS, END_OF_MACRO_LINE, ERROR_SENTINEL };

// Neither look reads further than this.
enum { LONGEST_LOOK = 4096 };

void *tree_sitter_angelscript_external_scanner_create(void) { return NULL; }
void tree_sitter_angelscript_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_angelscript_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_angelscript_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_blank(int32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0xFEFF;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_name_start(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 0xC0 && c != 0xFEFF);
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

// A look ahead, with the number of characters that it may still read.
typedef struct {
  TSLexer *lexer;
  unsigned left;
} Look;

static bool at_end(Look *look) { return look->left == 0 || look->lexer->eof(look->lexer); }

static void step(Look *look) {
  if (look->left > 0) look->left--;
  advance(look->lexer);
}

// Over blanks and comments. False where a `/` was passed that begins no comment.
static bool skip_blanks(Look *look) {
  while (!at_end(look)) {
    if (is_blank(look->lexer->lookahead)) {
      step(look);
      continue;
    }
    if (look->lexer->lookahead != '/') return true;
    step(look);
    if (look->lexer->lookahead == '/') {
      while (!at_end(look) && look->lexer->lookahead != '\n') step(look);
    } else if (look->lexer->lookahead == '*') {
      step(look);
      int32_t last = 0;
      while (!at_end(look) && !(last == '*' && look->lexer->lookahead == '/')) {
        last = look->lexer->lookahead;
        step(look);
      }
      step(look);
    } else {
      return false;
    }
  }
  return true;
}

static bool skip_name(Look *look) {
  if (!is_name_start(look->lexer->lookahead)) return false;
  while (!at_end(look) && (is_name_start(look->lexer->lookahead) || is_digit(look->lexer->lookahead))) step(look);
  return true;
}

// Over `<…>` and what is in it; false where that holds what no template arguments do.
static bool skip_template(Look *look) {
  int depth = 0;
  while (!at_end(look)) {
    int32_t c = look->lexer->lookahead;
    if (c == '<') depth++;
    else if (c == '>') depth--;
    else if (!is_blank(c) && !is_name_start(c) && !is_digit(c) && c != ',' && c != ':' && c != '@' && c != '&') return false;
    step(look);
    if (depth == 0) return true;
  }
  return false;
}

// Whether what stands behind a parenthesis begins like a parameter: a type, and a name behind it.
static bool begins_with_parameter(Look *look) {
  if (!skip_blanks(look)) return false;
  if (look->lexer->lookahead == ')' || look->lexer->lookahead == '?') return true;
  bool has_name = false;
  while (!at_end(look)) {
    if (look->lexer->lookahead == ':') {
      step(look);
      if (look->lexer->lookahead != ':') return false;
      step(look);
    } else if (!has_name && skip_name(look)) {
      has_name = true;
      if (!skip_blanks(look)) return false;
      if (look->lexer->lookahead == ':') has_name = false;
      continue;
    } else if (has_name && look->lexer->lookahead == '<') {
      if (!skip_template(look)) return false;
    } else {
      break;
    }
    if (!skip_blanks(look)) return false;
  }
  if (!has_name) return false;
  while (look->lexer->lookahead == '&' || look->lexer->lookahead == '@' || look->lexer->lookahead == '[') {
    if (look->lexer->lookahead == '[') {
      step(look);
      if (look->lexer->lookahead != ']') return false;
    } else if (look->lexer->lookahead == '&') {
      step(look);
      // `A && B` and `A & B` are values; a parameter by reference without a name is seldom enough
      if (look->lexer->lookahead == '&') return false;
      continue;
    }
    step(look);
    if (!skip_blanks(look)) return false;
  }
  if (!skip_blanks(look)) return false;
  return is_name_start(look->lexer->lookahead);
}

// Whether the list that is open ends before a `;`, as no parameter list with a body does.
static bool ends_before_semicolon(Look *look) {
  int depth = 1;
  while (!at_end(look)) {
    int32_t c = look->lexer->lookahead;
    if (c == '"' || c == '\'') {
      step(look);
      while (!at_end(look) && look->lexer->lookahead != c && look->lexer->lookahead != '\n') {
        if (look->lexer->lookahead == '\\') step(look);
        step(look);
      }
    } else if (c == '(') {
      depth++;
    } else if (c == ')') {
      depth--;
    } else if (c == '{' || c == '}') {
      return false;
    } else if (c == ';') {
      return true;
    }
    step(look);
    if (depth == 0) {
      if (!skip_blanks(look)) return false;
      return look->lexer->lookahead == ';' || look->lexer->lookahead == ',';
    }
  }
  return false;
}

static bool scan_constructor_parenthesis(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '(') return false;
  advance(lexer);
  lexer->mark_end(lexer);
  lexer->result_symbol = CONSTRUCTOR_PARENTHESIS;
  Look look = {lexer, LONGEST_LOOK};
  if (begins_with_parameter(&look)) return false;
  return ends_before_semicolon(&look);
}

// Whether a line goes on with a list: it begins with a bracket, a comma or an operator, or with a word behind which
// one of them stands.
static bool goes_on_like_a_list(Look *look) {
  if (!skip_blanks(look)) return true;
  int32_t c = look->lexer->lookahead;
  if (c == '"' || c == '=' || c == '|' || c == ',' || c == ')' || c == '(') return true;
  if (!skip_name(look)) return false;
  while (look->lexer->lookahead == ' ' || look->lexer->lookahead == '\t') step(look);
  c = look->lexer->lookahead;
  return c == '=' || c == ',' || c == ')' || c == '|' || c == '\r' || c == '\n';
}

static bool scan_end_of_macro_line(TSLexer *lexer) {
  lexer->mark_end(lexer);
  lexer->result_symbol = END_OF_MACRO_LINE;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r') lexer->advance(lexer, true);
  if (lexer->eof(lexer)) return true;
  if (lexer->lookahead != '\n') return false;
  Look look = {lexer, LONGEST_LOOK};
  return !goes_on_like_a_list(&look);
}

bool tree_sitter_angelscript_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (valid_symbols[ERROR_SENTINEL]) return false;
  if (valid_symbols[CONSTRUCTOR_PARENTHESIS]) return scan_constructor_parenthesis(lexer);
  if (valid_symbols[END_OF_MACRO_LINE]) return scan_end_of_macro_line(lexer);
  return false;
}
