// A scanner that does not come to an end at its marks, each in a way of its own. What ends it is the reader's task.

#include "tree_sitter/parser.h"

#include <string.h>

enum { MARK };

enum { LONGEST = 8 };

void *tree_sitter_hanging_external_scanner_create(void) { return NULL; }

void tree_sitter_hanging_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_hanging_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

void tree_sitter_hanging_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_letter(int32_t character) { return character >= 'a' && character <= 'z'; }

// Asks the lexer, for ever.
static void ask(TSLexer *lexer) {
  for (;;) {
    lexer->mark_end(lexer);
  }
}

// Asks nobody anything, for ever.
static void spin(void) {
  for (volatile unsigned turns = 0;; turns++) {
  }
}

// Waits for the end of a line, which the end of a text may not have.
static void wait_for_line(TSLexer *lexer) {
  while (lexer->lookahead != '\n') {
    lexer->advance(lexer, false);
  }
}

bool tree_sitter_hanging_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (!valid_symbols[MARK]) {
    return false;
  }
  while (lexer->lookahead == ' ' || lexer->lookahead == '\n') {
    lexer->advance(lexer, true);
  }
  if (lexer->lookahead != '@') {
    return false;
  }
  lexer->advance(lexer, false);
  char word[LONGEST + 1] = {0};
  for (unsigned length = 0; length < LONGEST && is_letter(lexer->lookahead); length++) {
    word[length] = (char)lexer->lookahead;
    lexer->advance(lexer, false);
  }
  lexer->result_symbol = MARK;
  if (strcmp(word, "asks") == 0) {
    ask(lexer);
  }
  if (strcmp(word, "spins") == 0) {
    spin();
  }
  if (strcmp(word, "waits") == 0) {
    wait_for_line(lexer);
  }
  lexer->mark_end(lexer);
  return true;
}
