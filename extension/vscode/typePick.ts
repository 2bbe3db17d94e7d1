/** A quick pick that searches the index while somebody types. */
import { ThemeIcon, window, type QuickInputButton, type QuickPick, type QuickPickItem } from "vscode";

import { Throttle } from "../core/batch";
import { dataOf } from "../core/envelope";
import { foundTypes } from "../core/typeSearch";
import { folderOf } from "./folders";
import type { Host } from "../core/host";
import type { WindowActions } from "./windowActions";

/** So many are looked through; further letters find the rest. */
const MOST = 50;

/** A search takes some ms; more often nobody reads. */
const SEARCH_EVERY_MS = 120;

interface FoundItem extends QuickPickItem {
  symbol: string;
  filePath: string;
}

const PIN: QuickInputButton = { iconPath: new ThemeIcon("pin"), tooltip: "Pin Instead" };

/** Has somebody pick a type and puts it into focus, or pins it. */
export function pickType(host: Host, actions: WindowActions): void {
  const pick = window.createQuickPick<FoundItem>();
  const throttle = new Throttle(SEARCH_EVERY_MS);
  pick.title = "Add Type to Focus";
  pick.placeholder = "A name, part of it, or its initials";
  pick.matchOnDescription = true;
  pick.onDidChangeValue((value) => {
    throttle.run(() => void search(host, pick, value));
  });
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item) {
      pick.hide();
      void actions.change("add", [item.symbol], folderOf(host, item.filePath));
    }
  });
  pick.onDidTriggerItemButton(({ item }) => {
    pick.hide();
    void actions.change("pin", [item.symbol], folderOf(host, item.filePath));
  });
  pick.onDidHide(() => {
    throttle.dispose();
    pick.dispose();
  });
  pick.show();
}

async function search(host: Host, pick: QuickPick<FoundItem>, value: string): Promise<void> {
  if (value.trim() === "") {
    pick.items = [];
    return;
  }
  pick.busy = true;
  const read = dataOf(await host.look("codecortex_searchApi", { labelQuery: value, limit: MOST }));
  // Whoever typed on gets the answer to that.
  if (pick.value === value) {
    pick.busy = false;
    const found = "data" in read ? foundTypes(read.data) : [];
    // The index has its own idea of what fits: initials, typos, words of documentation.
    pick.items = found.map(({ symbol, filePath, label, icon, description, detail }) => ({
      symbol,
      filePath,
      label: `$(${icon}) ${label}`,
      description,
      detail,
      alwaysShow: true,
      buttons: [PIN],
    }));
  }
}
